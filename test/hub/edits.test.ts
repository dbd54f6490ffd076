import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house, unlock, until } from '../support/strands.ts';
import { type Body, newState, type Running, startHub } from './support/hub.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-edits-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function asked(): Promise<Running & { readonly ada: string; readonly question: Running['question'] }> {
  const store = SqliteStore.open(join(folder, 'tau.db'));
  const hub = await startHub([[unlock('front', 'c1')], DONE, DONE], { state: newState(store) });
  const ada = await hub.token();
  await hub.run(ada);
  return { ...hub, ada };
}

describe('[P20, P2] a question in a file', () => {
  it('that is approved with an edit runs once, as edited, and the thread ends', async () => {
    const { send, ada, question, started, model, state } = await asked();
    const { id, digest } = await question(ada);
    const body = { decision: 'approved', digest, editedArguments: { door: 'back' } } as const;
    const reply = await send(`/api/approvals/${id}/decision`, { token: ada, body });
    expect([reply.status, reply.body.result]).toEqual([200, 'approved']);
    await until(() => model.calls.length === 2);
    expect(started()).toEqual(['unlock_door {"door":"back"}']);
    const { records } = await state.store.list();
    expect(records.map(({ status }) => status)).toEqual(['void', 'done']);
  });

  it.each(['ag-ui', 'api'] as const)(
    'runs every argument that was typed, whatever its name, or none: %s',
    async (way) => {
      const home = house();
      const schema = z.strictObject({
        part: z.string(),
        prototype: z.boolean().optional(),
        options: z.record(z.string(), z.unknown()).optional(),
      });
      const turns = [[call('manufacture', { part: 'door' }, 'c1')], DONE];
      const hub = await startHub(turns, { house: { ...home, tools: [home.tool('manufacture', 2, schema)] } });
      const ada = await hub.token();
      await hub.run(ada);
      const { id, digest } = await hub.question(ada);
      const answer = async (text: string): Promise<string> => {
        const edited = JSON.parse(text);
        if (way === 'ag-ui') {
          const resume = [{ interruptId: id, status: 'resolved', payload: { approved: true, editedArgs: edited } }];
          const last: Body = (await hub.run(ada, { resume })).at(-1);
          return last?.code ?? last?.outcome.type;
        }
        const body = { decision: 'approved', digest, editedArguments: edited };
        const { status } = await hub.send(`/api/approvals/${id}/decision`, { token: ada, body });
        return status === 200 ? 'success' : `${status}`;
      };
      const typed = '{"part":"door","prototype":true,"options":{"constructor":"ACME","dryRun":true}}';
      const refused = way === 'ag-ui' ? 'INVALID_PAYLOAD' : '422';
      expect(await answer('{"part":"door","options":{"__proto__":{"dryRun":true}}}')).toBe(refused);
      expect(await answer('{"part":"door","__proto__":{"prototype":true}}')).toBe(refused);
      expect(await answer(typed)).toBe('success');
      await until(() => hub.model.calls.length === 2);
      expect(hub.started().map((line) => JSON.parse(line.slice('manufacture '.length)))).toEqual([JSON.parse(typed)]);
    },
  );

  it('that is approved and edited at once runs once, as whoever was first said', async () => {
    const { send, ada, question, started, model, state } = await asked();
    const { id, digest } = await question(ada);
    const yes = { decision: 'approved', digest } as const;
    const bodies = [yes, { ...yes, editedArguments: { door: 'back' } }];
    const path = `/api/approvals/${id}/decision`;
    const replies = await Promise.all(bodies.map((body) => send(path, { token: ada, body })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await until(() => model.calls.length === 2);
    const door = replies[0]?.status === 200 ? 'front' : 'back';
    expect(started()).toEqual([`unlock_door {"door":"${door}"}`]);
    expect((await state.store.list({ status: 'pending' })).records).toEqual([]);
  });
});
