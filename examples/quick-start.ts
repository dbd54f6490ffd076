// An agent with two tools. Reading needs nobody; unlocking a door needs a person's yes, for exactly that door, once.
//
//   node examples/quick-start.ts          a scripted person: one yes, one no
//   node examples/quick-start.ts --ask    you
import assert from 'node:assert/strict';
import { type Approver, Tier } from 'strands-tau';
import { TerminalApprover } from 'strands-tau/channels/terminal';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedApprover, ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

const opened: string[] = [];

const readLock = tauTool({
  name: 'read_lock',
  description: 'Tells whether a door is locked.',
  inputSchema: z.object({ door: z.enum(['front', 'back']) }),
  tier: Tier.Read,
  effect: 'Looks at a lock.',
  callback: ({ door }) => (opened.includes(door) ? 'unlocked' : 'locked'),
});

const unlockDoor = tauTool({
  name: 'unlock_door',
  description: 'Unlocks a door.',
  inputSchema: z.object({ door: z.enum(['front', 'back']) }),
  tier: Tier.Physical,
  effect: 'Unlocks a door of the house. Anybody can come in.',
  callback: ({ door }) => {
    opened.push(door);
    return 'unlocked';
  },
});

// Stands in for a model of yours, such as BedrockModel or OpenAIModel of the Strands SDK.
const model = new ScriptedModel([
  [{ toolUse: { name: 'read_lock', input: { door: 'front' } } }],
  [{ toolUse: { name: 'unlock_door', input: { door: 'front' } } }],
  [{ toolUse: { name: 'unlock_door', input: { door: 'back' } } }],
  [{ text: 'That is all I could do.' }],
]);

const isAsking = process.argv.includes('--ask');
const scripted = new ScriptedApprover(['approved', { decision: 'rejected', reason: 'only the front one' }]);
const approver: Approver = isAsking ? new TerminalApprover() : scripted;

const agent = await buildAgent({ model, tools: [readLock, unlockDoor], approver });

for await (const event of agent.stream('open the house')) {
  if (event.type === 'tool_call') console.log(`${event.call.tool}: ${event.call.approval}`);
  if (event.type === 'text') process.stdout.write(event.text);
  if (event.type === 'end') console.log();
}

if (!isAsking) {
  assert.deepEqual(opened, ['front'], 'only what was approved has run');
  assert.deepEqual(
    scripted.requests.map(({ tool, arguments: args }) => ({ tool, args })),
    [
      { tool: 'unlock_door', args: { door: 'front' } },
      { tool: 'unlock_door', args: { door: 'back' } },
    ],
    'reading asked nobody',
  );
}
