// A channel of your own: anything that can put a question to a person and wait for the answer is an approver.
// This one puts it on a notice board. Silence is a no: the gate withdraws the question when the time is up.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Answer, ApprovalRequest, Approver } from 'strands-tau';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

class NoticeBoard extends EventEmitter implements Approver {
  readonly name = 'notice-board';
  readonly timeoutSeconds = 0.3;

  async decide(request: ApprovalRequest, { signal }: { signal: AbortSignal }): Promise<Answer> {
    this.emit('question', request);
    // Rejects when the signal fires: a withdrawn question needs no answer, and a throw is never a yes.
    const [answer, person] = await once(this, request.id, { signal });
    const decision = answer === 'yes' ? 'approved' : 'rejected';
    return { decision, by: { id: String(person), kind: 'person' }, reason: `${person} said ${answer}` };
  }

  /** A person answers a question. Without the id of an open question this does nothing. */
  answer(id: string, answer: string, person: string): void {
    this.emit(id, answer, person);
  }
}

const board = new NoticeBoard();
const watered: number[] = [];

const agent = await buildAgent({
  model: new ScriptedModel([
    [{ toolUse: { name: 'water_garden', input: { litres: 20 } } }],
    [{ toolUse: { name: 'water_garden', input: { litres: 500 } } }],
    [{ toolUse: { name: 'water_garden', input: { litres: 30 } } }],
    [{ text: 'Done.' }],
  ]),
  tools: [
    tauTool({
      name: 'water_garden',
      description: 'Waters the garden.',
      inputSchema: z.object({ litres: z.number().positive() }),
      tier: 2,
      effect: 'Opens the garden valve.',
      callback: ({ litres }) => {
        watered.push(litres);
        return `watered with ${litres} l`;
      },
    }),
  ],
  approver: board,
  // Who asks is not who decides here, so the policy must say who may.
  policy: { version: 'garden-1', sees: () => true, mayDecide: ({ id }) => id === 'gardener' },
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});

// The gardener looks at each question, and answers two of the three; for the last one nobody is there.
board.on('question', ({ id, arguments: args }: ApprovalRequest) => {
  const { litres } = z.object({ litres: z.number() }).parse(args);
  if (litres === 30) return;
  setTimeout(() => board.answer(id, litres <= 100 ? 'yes' : 'no, that is a flood', 'gardener'), 10);
});

const outcomes: string[] = [];
for await (const event of agent.stream('water the garden')) {
  if (event.type === 'tool_call') outcomes.push(event.call.approval);
}

console.log(outcomes.join(', '));
assert.deepEqual(outcomes, ['approved', 'rejected', 'timeout']);
assert.deepEqual(watered, [20], 'only what the gardener approved has run');
