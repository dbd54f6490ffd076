import { join } from 'node:path';
import type { ApprovalStore, AuditLog } from 'strands-tau';
import { MemoryApprovalStore, MemoryAuditLog } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { question } from '../../src/testing/store-contract/sample.ts';
import { CliFolder, runCli } from '../e2e/cli-fixtures/run-cli.ts';
import { type Body, newState, type Running, startHub } from './support/hub.ts';
import { ServeCli } from './support/serve-cli.ts';

const FOREIGN = { kind: 'model', principal: { id: 'carol', kind: 'person' } } as const;
const MINE = { kind: 'model', principal: { id: 'ada', kind: 'person' } } as const;

/** How often everybody else came to their turn while a hub answered. */
async function read(
  hub: Running,
  path: string,
  token: string,
): Promise<{ readonly body: Body; readonly turns: number }> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1' };
  const response = await hub.hub.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
  isOver = true;
  expect(response.status).toBe(200);
  return { body: await response.json(), turns };
}

async function hubOf(store: ApprovalStore, audit: AuditLog = new MemoryAuditLog()): Promise<Running> {
  return startHub([], { state: { ...newState(store), audit } });
}

describe('[P15, P19] a long list of what others did', () => {
  it('the audit log is looked at in parts, each approval once; an empty answer says where to go on', async () => {
    const store = new MemoryApprovalStore();
    const audit = new MemoryAuditLog();
    await store.create(question('foreign', { request: { ...question('foreign').request, origin: FOREIGN } }));
    for (let n = 0; n < 9000; n++) await audit.append({ type: 'x', approvalId: 'foreign' }, n);
    await audit.append({ type: 'x', by: MINE.principal }, 9001);
    let gets = 0;
    const get = store.get.bind(store);
    store.get = (id) => {
      gets += 1;
      return get(id);
    };
    const hub = await hubOf(store, audit);
    const token = await hub.token();
    const head = await audit.head();
    const first = await read(hub, '/api/audit', token);
    expect(first.body).toEqual({ rows: [], last: 4000, head });
    expect([gets, first.turns >= 20]).toEqual([1, true]);
    const second = await read(hub, '/api/audit?after=4000', token);
    expect(second.body).toEqual({ rows: [], last: 8000, head });
    const third = await read(hub, '/api/audit?after=8000', token);
    expect(third.body).toMatchObject({ rows: [{ seq: 9001 }], last: 9001, head });
    expect((await read(hub, '/api/audit?after=9001', token)).body).toEqual({ rows: [], last: 9001, head });
  });

  it('approvals are looked at in parts; the place to go on names none of them', async () => {
    const store = new MemoryApprovalStore();
    for (let n = 0; n < 9000; n++) {
      const { request, ...rest } = question(`q${n}`);
      await store.create({ ...rest, request: { ...request, origin: n === 8999 || n === 3 ? MINE : FOREIGN } });
    }
    const hub = await hubOf(store);
    const token = await hub.token();
    const first = await read(hub, '/api/approvals', token);
    expect(first.body.approvals.map(({ id }: Body) => id)).toEqual(['q3']);
    expect(first.turns).toBeGreaterThan(15);
    const sealed: string = first.body.nextCursor;
    expect(sealed).toMatch(/^~[\w-]{40,}$/);
    const second = await read(hub, `/api/approvals?cursor=${sealed}`, token);
    expect(second.body).toEqual({ approvals: [], nextCursor: expect.stringMatching(/^~/) });
    const third = await read(hub, `/api/approvals?cursor=${second.body.nextCursor}`, token);
    expect([third.body.approvals.map(({ id }: Body) => id), third.body.nextCursor]).toEqual([['q8999'], undefined]);
    for (const cursor of [`${sealed.slice(0, -2)}AA`, '~', `~${'A'.repeat(40)}`]) {
      const reply = await hub.send(`/api/approvals?cursor=${cursor}`, { token });
      expect([reply.status, reply.body.error.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('is read to its end by the command line, from SQLite', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[model]\nprovider = "demo"\n[[principals]]\nid = "ada"\n[[principals]]\nid = "bob"\n');
    const store = SqliteStore.open(join(folder.path, '.tau/tau.db'));
    const record = (n: number): ReturnType<typeof question> => {
      const { request, ...rest } = question(`q${n}`);
      return { ...rest, request: { ...request, origin: n === 0 ? MINE : FOREIGN } };
    };
    await Promise.all(Array.from({ length: 4100 }, (_, n) => store.create(record(n))));
    await store.end();
    await using serve = new ServeCli(folder, []);
    await serve.url();
    const { out } = await runCli(folder, ['approvals', 'list', '--json']);
    expect(JSON.parse(out).approvals.map(({ id }: Body) => id)).toEqual(['q0']);
  }, 60_000);
});
