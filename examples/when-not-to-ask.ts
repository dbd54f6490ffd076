// Calls of tier 2 that are not asked about: for one conversation, by the clock, by the arguments. Each shows in the audit.
import assert from 'node:assert/strict';
import { auditRows, auditSink, type Exemption, ParkingApprover, type Principal, verifyLog } from 'strands-tau';
import { StrandsAgent, threadOf } from 'strands-tau/ag-ui';
import { MemoryAuditLog } from 'strands-tau/stores/memory';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ManualClock, ScriptedModel, type TurnFunction } from 'strands-tau/testing';
import { z } from 'zod';

const ada: Principal = { id: 'ada', kind: 'person' };
const bo: Principal = { id: 'bo', kind: 'person' };
const clock = new ManualClock();

// In the place of a real model: asks for the door that is wanted, then says something.
let wanted: string | undefined;
const turn: TurnFunction = () => {
  const door = wanted;
  wanted = undefined;
  return door === undefined ? [{ text: 'Done.' }] : [{ toolUse: { name: 'unlock_door', input: { door } } }];
};
const model = new ScriptedModel(Array.from({ length: 30 }, () => turn));

const opened: string[] = [];
const doors = z.object({ door: z.enum(['front', 'cellar']) });
const unlockDoor = tauTool({
  name: 'unlock_door',
  description: 'Unlocks a door.',
  inputSchema: doors,
  tier: 2,
  // What is asked about says why it is asked.
  effect: (args) =>
    isDaytime()
      ? `Unlocks the ${doors.parse(args).door} door.`
      : `Unlocks the ${doors.parse(args).door} door AT NIGHT.`,
  callback: ({ door }) => {
    opened.push(door);
    return 'unlocked';
  },
});

/** From 8 to 18, by the gate's own clock. */
function isDaytime(): boolean {
  const hour = new Date(clock.now()).getUTCHours();
  return hour >= 8 && hour < 18;
}

/** By the clock and by the arguments: the front door, while it is day. Only what the model asks for a person. */
const frontDoorByDay: Exemption = (tool, args, { kind, principal }) =>
  tool === 'unlock_door' && kind === 'model' && principal?.kind === 'person' && isDaytime() && isFront(args);

function isFront(args: unknown): boolean {
  return doors.safeParse(args).data?.door === 'front';
}

/** For one conversation of one person: "do not ask me again in this chat". */
const inThread =
  (wanted: { readonly threadId: string; readonly principal: Principal }): Exemption =>
  (tool, _args, origin) => {
    const thread = threadOf({ request: { origin } });
    return (
      tool === 'unlock_door' && thread?.threadId === wanted.threadId && thread.principal.id === wanted.principal.id
    );
  };

/** Asks for a door in a thread; `true` when it is open at the end, `false` when the run stopped at a question. */
async function ask(door: string, threadId: string, principal = ada): Promise<boolean> {
  wanted = door;
  const input = { threadId, runId: crypto.randomUUID(), tools: [], context: [], state: {}, forwardedProps: {} };
  const messages = [{ id: crypto.randomUUID(), role: 'user' as const, content: `open the ${door} door` }];
  for await (const event of bridge.run({ ...input, messages }, { principal })) void event;
  return opened.splice(0).length === 1;
}

const audit = new MemoryAuditLog();
const parts = { model, tools: [unlockDoor], approver: new ParkingApprover(), clock };
const agent = await buildAgent({ ...parts, sinks: [auditSink(audit)] });
const { gate } = agent;
const bridge = new StrandsAgent({ agent, name: 'house' });

assert.equal(await ask('front', 'a'), false, 'it is night: asked');

const undoDay = gate.addExemption(frontDoorByDay);
assert.equal(await ask('front', 'b'), false, 'still night: asked');
await clock.advance(9 * 3600 * 1000);
assert.equal(await ask('front', 'c'), true, 'by day it is not asked about');
assert.equal(await ask('cellar', 'd'), false, 'the other door is');
undoDay();
assert.equal(await ask('front', 'e'), false, 'taken back: asked');

// The thread in which Ada asked last; she says: do not ask again here.
const { records } = await gate.store.list({ status: 'pending', order: 'newest', limit: 1 });
const thread = records[0] && threadOf(records[0]);
assert.deepEqual(thread, { threadId: 'e', principal: ada });
const undoThread = gate.addExemption(inThread(thread));
for await (const event of bridge.resumeThread('e', thread)) void event;
assert.deepEqual(opened.splice(0), ['front'], 'the open question is not needed any more, and the call goes on');
assert.equal(await ask('cellar', 'e'), true, 'nor is the next one in this thread asked about');
assert.equal(await ask('cellar', 'f'), false, 'in another thread it is');
assert.equal(await ask('cellar', 'e', bo), false, 'and in the thread of that name of somebody else');
undoThread();

// What ran without a question is in the audit like everything else.
const calls = [];
for await (const { event } of auditRows(audit)) {
  if (event.type === 'tool_call') calls.push(`${event.tool} ${event.approval} ${event.status}`);
}
assert.deepEqual(calls, Array(3).fill('unlock_door exempt success'));
assert.equal((await verifyLog(audit)).ok, true);
console.log(JSON.stringify((await audit.rows({ after: 0, limit: 1 }))[0]?.event));
console.log('only what is exempt ran without a question, and only for as long');
