import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DONE, unlock, until } from '../support/strands.ts';
import { newState, type Running, startHub } from './support/hub.ts';

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
