// Four eyes without a hub: whoever asks may not decide, and somebody else does, at a desk that knows the store only.
import assert from 'node:assert/strict';
import {
  type ApprovalRecord,
  escapeText,
  type JSONValue,
  ParkingApprover,
  type Policy,
  type Principal,
} from 'strands-tau';
import { StrandsAgent, threadOf } from 'strands-tau/ag-ui';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

const ada: Principal = { id: 'ada', kind: 'person' };
const bo: Principal = { id: 'bo', kind: 'person', roles: ['approver'] };

const fourEyes: Policy = {
  version: 'four-eyes-1',
  sees: () => true,
  mayDecide: (principal, { origin }) =>
    principal.id !== origin.principal?.id && principal.roles?.includes('approver') === true,
};

const paid: { to: string; euros: number }[] = [];
const pay = tauTool({
  name: 'pay',
  description: 'Pays somebody.',
  inputSchema: z.object({ to: z.string(), euros: z.number() }),
  tier: 2,
  effect: (args) => `Sends ${z.object({ euros: z.number() }).parse(args).euros} euros, which do not come back.`,
  callback: (payment) => {
    paid.push(payment);
    return 'paid';
  },
});

// Every turn asks to pay, and says something when it has the result.
const model = new ScriptedModel(
  Array.from({ length: 3 }, () => [
    [{ toolUse: { name: 'pay', input: { to: 'carl', euros: 100 } } }],
    [{ text: 'That is what happened.' }],
  ]).flat(),
);
const agent = await buildAgent({ model, tools: [pay], approver: new ParkingApprover(), policy: fourEyes });
const { gate } = agent;
const bridge = new StrandsAgent({ agent, name: 'bank' });

/** What is open and this person may decide, oldest first. */
async function list(by: Principal): Promise<readonly ApprovalRecord[]> {
  const open: ApprovalRecord[] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await gate.store.list({ status: 'pending', ...(cursor === undefined ? {} : { cursor }) });
    open.push(...page.records.filter(({ request }) => fourEyes.mayDecide(by, request)));
    cursor = page.nextCursor;
  }
  return open;
}

/** A question, whole, for a terminal: a model wrote the arguments. */
function show({ request }: ApprovalRecord): string {
  const { id, tool, effect, arguments: args, origin, digest } = request;
  const who = origin.principal?.id ?? 'somebody';
  return [id, `${tool}, for ${who}: ${effect}`, JSON.stringify(args), digest]
    .map((line) => escapeText(line))
    .join('\n');
}

/** A yes or a no to the question that was shown. Says what became of it. */
async function decide(
  { id, request: { digest } }: ApprovalRecord,
  answer: { readonly decision: 'approved' | 'rejected'; readonly by: Principal; readonly reason?: string },
): Promise<string> {
  const result = await gate.decide(id, { ...answer, channel: 'desk', digest });
  if (result.status === 'decided') await goOn(result.record);
  return result.status;
}

/** A yes to other arguments. When the tool says something else of them, that is a question of its own: show and decide it. */
async function edit(
  { id, request: { digest } }: ApprovalRecord,
  { by, args }: { readonly by: Principal; readonly args: JSONValue },
): Promise<ApprovalRecord | string> {
  const result = await gate.edit(id, { arguments: args, by, channel: 'desk', digest });
  if (result.status === 'asked_again') return result.record;
  if (result.status === 'approved') await goOn(result.record);
  return result.status;
}

/** Lets the run go on that waited for this; its requester's client need not be there. */
async function goOn(record: ApprovalRecord): Promise<void> {
  const thread = threadOf(record);
  if (thread === undefined) return;
  for await (const event of bridge.resumeThread(thread.threadId, thread)) {
    if ('code' in event) console.error('it could not go on:', event.code); // THREAD_BUSY: again after bridge.idle(thread)
  }
}

/** Ada says something; her run stops at the question. */
async function ask(threadId: string): Promise<ApprovalRecord> {
  const input = { threadId, runId: crypto.randomUUID(), tools: [], context: [], state: {}, forwardedProps: {} };
  const messages = [{ id: crypto.randomUUID(), role: 'user' as const, content: 'pay Carl' }];
  for await (const event of bridge.run({ ...input, messages }, { principal: ada })) void event;
  assert.deepEqual(await list(ada), [], 'whoever asks finds nothing to decide');
  const [record, ...rest] = await list(bo);
  assert.ok(record && rest.length === 0, 'somebody else does');
  console.log(show(record));
  return record;
}

const first = await ask('one');
assert.equal(await decide(first, { decision: 'approved', by: ada }), 'not_found');
assert.deepEqual(paid, [], "the requester's yes runs nothing");
assert.equal(await decide(first, { decision: 'approved', by: bo }), 'decided');
assert.deepEqual(paid.splice(0), [{ to: 'carl', euros: 100 }], 'the yes of another ran it, once, without a client');
const said = await bridge.messagesOf('one', { principal: ada });
assert.equal(said.at(-1)?.content, 'That is what happened.', 'the conversation went on to its end');
assert.equal(await decide(first, { decision: 'rejected', by: bo }), 'already_decided');

const second = await ask('two');
assert.equal(await decide(second, { decision: 'rejected', by: bo, reason: 'too much' }), 'decided');
assert.match(JSON.stringify(model.calls.at(-1)?.messages), /Reason: too much/, 'the model has read why');

const third = await ask('three');
const asked = await edit(third, { by: bo, args: { to: 'carl', euros: 10 } });
assert.ok(typeof asked === 'object', 'the effect says something else now, so it has to be looked at');
assert.match(show(asked), /Sends 10 euros/);
assert.equal(await decide(asked, { decision: 'approved', by: bo }), 'decided');
assert.deepEqual(paid, [{ to: 'carl', euros: 10 }], 'the edit has run, and not what was asked first');
console.log('decided by somebody else each time: only what was approved has run');
