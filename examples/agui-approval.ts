// A guarded agent over AG-UI, and a client that answers its questions: yes, no with a reason, other arguments, and silence.
import assert from 'node:assert/strict';
import { HttpAgent, type Interrupt, type RunFinishedEvent } from '@ag-ui/client';
import { serve } from '@hono/node-server';
import { ParkingApprover, Tier } from 'strands-tau';
import { StrandsAgent } from 'strands-tau/ag-ui';
import { createHandler } from 'strands-tau/ag-ui/server';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

const paid: { to: string; euros: number }[] = [];

const pay = tauTool({
  name: 'pay',
  description: 'Pays somebody.',
  inputSchema: z.object({ to: z.string(), euros: z.number() }),
  tier: Tier.Physical,
  effect: 'Sends money.',
  callback: (payment) => {
    paid.push(payment);
    return 'paid';
  },
});

// Every turn asks to pay 100 euros, and says something when it has the result.
const model = new ScriptedModel(
  Array.from({ length: 4 }, () => [
    [{ toolUse: { name: 'pay', input: { to: 'bo', euros: 100 } } }],
    [{ text: 'That is what happened.' }],
  ]).flat(),
);
const agent = await buildAgent({ model, tools: [pay], approver: new ParkingApprover({ timeoutSeconds: 1 }) });
const handler = createHandler(new StrandsAgent({ agent, name: 'bank' }), {
  authenticate: () => ({ id: 'ada', kind: 'person' }),
});
const server = serve({ fetch: handler, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

type Answer = { readonly status: 'resolved'; readonly payload: unknown } | { readonly status: 'cancelled' };

/** One thread: asks for a payment and answers the question it ends with. */
async function ask(answer: (question: Interrupt) => Promise<Answer>): Promise<void> {
  const client = new HttpAgent({ url: `http://127.0.0.1:${port}/`, threadId: crypto.randomUUID() });
  client.messages = [{ id: crypto.randomUUID(), role: 'user', content: 'pay Bo' }];
  let open: Interrupt[] = [];
  const watch = {
    onRunFinishedEvent: ({ event }: { event: RunFinishedEvent }): void => {
      open = event.outcome?.type === 'interrupt' ? event.outcome.interrupts : [];
    },
  };
  await client.runAgent({}, watch);
  const [question] = open;
  assert.ok(question, 'the run stops at a question');
  assert.equal(question.reason, 'tau:approval');
  await client.runAgent({ resume: [{ interruptId: question.id, ...(await answer(question)) }] }, watch);
  assert.deepEqual(open, [], 'the question is answered');
}

const resolved = (payload: unknown): Answer => ({ status: 'resolved', payload });

try {
  await ask(async () => resolved({ approved: true }));
  assert.deepEqual(paid.splice(0), [{ to: 'bo', euros: 100 }], 'what was approved has run, once');

  await ask(async () => resolved({ approved: false, reason: 'too much' }));
  assert.deepEqual(paid.splice(0), [], 'what was rejected has not run');
  const told = JSON.stringify(model.calls.at(-1)?.messages);
  assert.match(told, /Reason: too much/, 'the model has read why');

  await ask(async () => resolved({ approved: true, editedArgs: { to: 'bo', euros: 10 } }));
  assert.deepEqual(paid.splice(0), [{ to: 'bo', euros: 10 }], 'the edit has run, and not what was asked first');

  // The client itself refuses to answer a question that has expired; it can only say that it goes on without it.
  await ask(async ({ expiresAt }) => {
    assert.ok(expiresAt, 'the question says when it ends');
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 50));
    return { status: 'cancelled' };
  });
  assert.deepEqual(paid.splice(0), [], 'silence has run nothing');
  console.log('approved, rejected, edited and expired: only what was approved has run');
} finally {
  server.close();
}
