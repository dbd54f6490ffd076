// Two callers with two sets of tools on one server. Who may see what is decided for each request, from who is logged in.
import assert from 'node:assert/strict';
import { HttpAgent } from '@ag-ui/client';
import { serve } from '@hono/node-server';
import { ParkingApprover, type Principal, Tier } from 'strands-tau';
import { StrandsAgent } from 'strands-tau/ag-ui';
import { createHandler } from 'strands-tau/ag-ui/server';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

const deleted: string[] = [];
const name = z.object({ name: z.string() });

const readDoc = tauTool({
  name: 'read_doc',
  description: 'Reads a document.',
  inputSchema: name,
  tier: Tier.Read,
  callback: (doc) => `${doc.name}: hello`,
});
const deleteDoc = tauTool({
  name: 'delete_doc',
  description: 'Deletes a document.',
  inputSchema: name,
  tier: Tier.DigitalWrite,
  callback: (doc) => {
    deleted.push(doc.name);
    return 'deleted';
  },
});

// Tries to delete in every turn, whether it was offered the tool or not.
const model = new ScriptedModel(
  Array.from({ length: 2 }, () => [
    [{ toolUse: { name: 'delete_doc', input: { name: 'plan' } } }],
    [{ text: 'I tried.' }],
  ]).flat(),
);

const people = new Map<string, Principal>([
  ['token-of-ada', { id: 'ada', kind: 'person', roles: ['editor'] }],
  ['token-of-bo', { id: 'bo', kind: 'person', roles: ['reader'] }],
]);

const bridge = new StrandsAgent({
  agent: await buildAgent({ model, tools: [readDoc, deleteDoc], approver: new ParkingApprover() }),
  name: 'library',
  config: {
    templateToolsProvider: (_input, { principal }) => (principal.roles?.includes('editor') ? null : ['read_doc']),
  },
});
const handler = createHandler(bridge, {
  authenticate: ({ headers }) => people.get(headers.get('authorization')?.replace('Bearer ', '') ?? ''),
});
const server = serve({ fetch: handler, port: 0, hostname: '127.0.0.1' });
await new Promise((resolve) => server.once('listening', resolve));
const address = server.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

/** One turn of somebody, always on the thread of the same name: each has their own. */
async function turn(token: string): Promise<number> {
  const client = new HttpAgent({
    url: `http://127.0.0.1:${port}/`,
    threadId: 'desk',
    headers: { authorization: `Bearer ${token}` },
  });
  client.messages = [{ id: crypto.randomUUID(), role: 'user', content: 'delete the plan' }];
  await client.runAgent();
  return client.messages.length;
}

try {
  await turn('token-of-bo');
  assert.deepEqual(model.offered.at(-1), ['read_doc'], 'a reader is offered what readers may use');
  assert.deepEqual(deleted, [], 'and a tool that is hidden does not run when the model calls it anyway');

  await turn('token-of-ada');
  assert.deepEqual(model.offered.at(-1), ['read_doc', 'delete_doc'], 'an editor is offered both');
  assert.deepEqual(deleted, ['plan']);

  await assert.rejects(turn('token-of-nobody'), /401/, 'without a login nothing runs');
  console.log('two callers, two sets of tools, one thread name: each saw their own');
} finally {
  server.close();
}
