import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SessionManager } from '@strands-agents/sdk';
import { auditSink, ParkingApprover } from 'strands-tau';
import { MemoryValueStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { buildAgent, type TauAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decision, NOW, position, question } from '../../src/testing/store-contract/sample.ts';
import { eventually } from '../../src/testing/store-contract/suite.ts';
import { temporaryFile } from './support/folder.ts';

const ANN = { id: 'ann', kind: 'person' } as const;
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

async function agentOn(store: SqliteStore, turns: readonly ScriptedTurn[], ran: string[]): Promise<TauAgent> {
  return buildAgent({
    model: new ScriptedModel(turns),
    tools: [
      tauTool({
        name: 'unlock_door',
        description: 'Unlocks a door.',
        inputSchema: z.object({ door: z.string() }),
        tier: 2,
        effect: 'Unlocks a door',
        callback: ({ door }) => {
          ran.push(door);
          return `${door} is open`;
        },
      }),
    ],
    approver: new ParkingApprover(),
    store,
    sinks: [auditSink(store.audit)],
    logger: quiet,
    sessionManager: new SessionManager({ sessionId: 's1', storage: { snapshot: store.sessions } }),
  });
}

async function collect<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('[P4] one file is the whole state', () => {
  it('a question outlives its process: decided in another, the call runs once and the conversation goes on', async () => {
    const path = temporaryFile();
    const ran: string[] = [];
    const call = { toolUse: { name: 'unlock_door', input: { door: 'front' }, toolUseId: 'c1' } };
    const old = SqliteStore.open(path);
    const asking = await agentOn(old, [[call]], ran);
    const parked = await collect(asking.stream('open the front door', { principal: ANN, conversation: 't1' }));
    expect(parked.at(-1)).toMatchObject({ type: 'end', reason: 'parked' });
    await old.end();

    const store = SqliteStore.open(path);
    const agent = await agentOn(store, [[{ text: 'It is open.' }]], ran);
    const [open] = (await store.list({ status: 'pending' })).records;
    expect(await agent.gate.decide(open?.id ?? '', { decision: 'approved', by: ANN, channel: 'test' })).toMatchObject({
      status: 'decided',
    });
    expect((await collect(agent.resume({ conversation: 't1' }))).at(-1)).toMatchObject({
      type: 'end',
      reason: 'endTurn',
    });
    expect(ran).toEqual(['front']);
    expect(await store.get(open?.id ?? '')).toMatchObject({ status: 'done', decision: { by: ANN } });
    const told = (await store.audit.rows()).map(({ event }) => event.type);
    expect(told).toEqual([
      'approval_created',
      'approval_decided',
      'approval_consumed',
      'approval_finished',
      'tool_call',
    ]);
    const { messages } = agent.agent;
    await store.end();
    const later = SqliteStore.open(path);
    const again = await agentOn(later, [], ran);
    await again.agent.initialize();
    expect(again.agent.messages.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
    await later.end();
  });

  it('is readable by this user only, with all the files that SQLite makes beside it', async () => {
    const path = join(dirname(temporaryFile()), 'new', 'tau.db');
    const store = SqliteStore.open(path);
    await store.create(question('one'));
    const files = readdirSync(dirname(path)).map((name) => [name, statSync(join(dirname(path), name)).mode & 0o777]);
    expect(files).toEqual([
      ['tau.db', 0o600],
      ['tau.db-shm', 0o600],
      ['tau.db-wal', 0o600],
    ]);
    await store.end();
  });

  it('sessions: latest and kept snapshots, manifests, and a session that is deleted', async () => {
    const store = SqliteStore.open(':memory:');
    const { sessions } = store;
    const location = { sessionId: 's1', scope: 'agent', scopeId: 'a' } as const;
    const snapshot = (n: number) =>
      ({ scope: 'agent', schemaVersion: '1.0', createdAt: 'now', data: { messages: [], n }, appData: {} }) as const;
    expect(await sessions.loadSnapshot({ location })).toBeNull();
    expect((await sessions.loadManifest({ location })).schemaVersion).toBe('1.0');
    const ids = [1, 2, 3].map((n) => `0190a6e8-0000-7000-8000-00000000000${n}`);
    for (const [n, snapshotId] of ids.entries()) {
      await sessions.saveSnapshot({ location, snapshotId, isLatest: false, snapshot: { ...snapshot(n), data: { n } } });
      await sessions.saveSnapshot({
        location,
        snapshotId: 'latest',
        isLatest: true,
        snapshot: { ...snapshot(n), data: { n } },
      });
    }
    expect((await sessions.loadSnapshot({ location }))?.data).toEqual({ n: 2 });
    expect((await sessions.loadSnapshot({ location, snapshotId: ids[0] ?? '' }))?.data).toEqual({ n: 0 });
    expect(await sessions.listSnapshotIds({ location })).toEqual(ids);
    expect(await sessions.listSnapshotIds({ location, limit: 1, startAfter: ids[0] ?? '' })).toEqual([ids[1]]);
    expect(await sessions.listSnapshotIds({ location, limit: 0 })).toEqual([]);
    await sessions.saveManifest({ location, manifest: { schemaVersion: '1.1', updatedAt: 'then' } });
    expect(await sessions.loadManifest({ location })).toEqual({ schemaVersion: '1.1', updatedAt: 'then' });
    await sessions.deleteSession({ sessionId: 's1' });
    expect(await sessions.loadSnapshot({ location })).toBeNull();
    expect(await sessions.listSnapshotIds({ location })).toEqual([]);
    await store.end();
  });

  it('documents: kept by kind and id, gone when they expire, and taken by one of many', async () => {
    const store = SqliteStore.open(':memory:');
    const { values } = store;
    const lasting = { id: 'b', value: { hash: 'x', scopes: ['run'] } };
    const brief = { id: 'a', value: 1, expiresAt: NOW + 10 };
    await values.put('token', lasting);
    await values.put('token', brief);
    await values.put('link', { id: 'b', value: null });
    expect(await values.list('token', NOW)).toEqual([brief, lasting]);
    expect(await values.list('token', NOW + 10)).toEqual([lasting]);
    expect([await values.get('token', 'a', NOW + 9), await values.get('token', 'a', NOW + 10)]).toEqual([
      brief,
      undefined,
    ]);
    await values.put('token', { id: 'b', value: 'new' });
    expect(await values.get('token', 'b', NOW)).toEqual({ id: 'b', value: 'new' });
    const taken = await Promise.all(Array.from({ length: 20 }, () => values.take('link', 'b')));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await values.get('link', 'b', NOW)).toBeUndefined();
    await store.end();
  });

  it('documents: those whose ids begin with a text, whatever it holds, in memory as in a file', async () => {
    const store = SqliteStore.open(':memory:');
    const ids = [
      '"ada"/a',
      '"ada"/\ud800',
      '"ada"/\0',
      '"ad"/a',
      '"ad%"/a',
      '"ada',
      'json:"x"',
      '\ud800',
      'json:',
      'ç/é',
    ];
    const memory = new MemoryValueStore();
    for (const values of [store.values, memory]) {
      for (const id of ids) await values.put('thread', { id, value: 1 });
      await values.put('link', { id: '"ada"/z', value: 1 });
      for (const prefix of ['', '"ada"/', '"ad', '"ad%', 'json:', '\ud800', 'ç/', 'nothing']) {
        const found = (await values.list('thread', NOW, prefix)).map(({ id }) => id);
        expect([prefix, found.toSorted()]).toEqual([prefix, ids.filter((id) => id.startsWith(prefix)).toSorted()]);
      }
    }
    await store.end();
  });

  it('documents: the last that were put, the last one first, in memory as in a file', async () => {
    const store = SqliteStore.open(':memory:');
    const ids = ['"ada"/a', '"bob"/a', '"ada"/\ud800', '"ada"/b', '"ada"/\0'];
    for (const values of [store.values, new MemoryValueStore()]) {
      for (const id of ids) await values.put('thread', { id, value: 1 });
      await values.put('link', { id: '"ada"/z', value: 1 });
      await values.put('thread', { id: '"ada"/over', value: 1, expiresAt: NOW });
      await values.put('thread', { id: '"ada"/a', value: 2 });
      const latest = async (prefix: string, limit: number) =>
        (await values.latest('thread', NOW, { prefix, limit })).map(({ id }) => id);
      expect(await latest('"ada"/', 9)).toEqual(['"ada"/a', '"ada"/\0', '"ada"/b', '"ada"/\ud800']);
      expect(await latest('"ada"/', 2)).toEqual(['"ada"/a', '"ada"/\0']);
      expect(await latest('"bob"/', 2)).toEqual(['"bob"/a']);
      expect(await latest('', 3)).toEqual(['"ada"/a', '"ada"/\0', '"ada"/b']);
      expect(await latest('"ada"/\ud800', 3)).toEqual(['"ada"/\ud800']);
      expect(await values.latest('thread', NOW, { limit: 1 })).toEqual([{ id: '"ada"/a', value: 2 }]);
    }
    await store.end();
  });

  it('documents: conversations of a file of the first version are in the order in which they were used', async () => {
    const path = temporaryFile();
    const first = SqliteStore.open(path);
    const times = { old: 1, damaged: 2, newest: NOW + 0.5, newer: NOW };
    for (const [id, updatedAt] of Object.entries(times)) await first.values.put('thread', { id, value: { updatedAt } });
    await first.end();
    const editor = new DatabaseSync(path);
    editor.exec(`DROP INDEX documents_place; DROP INDEX documents_due; ALTER TABLE documents DROP COLUMN place;
      UPDATE documents SET document = '{' WHERE id = 'damaged'; PRAGMA user_version = 1`);
    editor.close();
    const store = SqliteStore.open(path);
    const latest = async (limit: number) => (await store.values.latest('thread', NOW, { limit })).map(({ id }) => id);
    expect(await latest(2)).toEqual(['newest', 'newer']);
    await store.values.put('thread', { id: 'old', value: {} });
    expect(await latest(2)).toEqual(['old', 'newest']);
    await store.end();
  });

  it('ids that a database would mix up stay apart: half characters, NUL, and what stands for them', async () => {
    const store = SqliteStore.open(':memory:');
    const ids = ['\ud800', '\ud801', '\ufffd', 'a', 'a\0', 'a\0b', 'json:"\\ud800"', "a' --"];
    for (const id of ids) await store.park({ conversation: id, run: id, at: NOW, state: [] });
    for (const id of ids) expect((await store.parked(id))?.run).toBe(id);
    for (const id of ids) await store.create(question(id, { position: position(id, 'm') }));
    for (const id of ids) expect((await store.list({ conversation: id })).records.map((each) => each.id)).toEqual([id]);
    await store.end();
  });

  it('a prune removes what is settled and old; what is open, or belongs to a parked conversation, stays', async () => {
    const store = SqliteStore.open(':memory:');
    for (const id of ['open', 'settled', 'late', 'parked', 'approved']) {
      await store.create(question(id, { position: position(`c-${id}`, 'm') }));
    }
    for (const id of ['settled', 'parked']) await store.decide(id, decision('rejected'));
    await store.decide('approved', decision('approved'));
    await store.decide('late', decision('rejected', 'ada', NOW + 5000));
    await store.park({ conversation: 'c-parked', run: 'r', at: NOW, state: [] });
    await store.values.put('link', { id: 'old', value: 1, expiresAt: NOW });
    const location = { sessionId: 's1', scope: 'agent', scopeId: 'a' } as const;
    const snapshot = { scope: 'agent', schemaVersion: '1.0', createdAt: '', data: {}, appData: {} } as const;
    await store.sessions.saveSnapshot({ location, snapshotId: 'latest', isLatest: true, snapshot });
    expect(await store.prune({ at: NOW + 9000, approvalsBefore: NOW + 5000 })).toEqual({
      approvals: 1,
      sessions: 0,
      documents: 1,
      auditRows: 0,
    });
    expect((await store.list()).records.map(({ id }) => id)).toEqual(['open', 'late', 'parked', 'approved']);
    expect(await store.prune({ at: NOW, sessionsBefore: Date.now() + 1000 })).toMatchObject({ sessions: 1 });
    expect(await store.sessions.loadSnapshot({ location })).toBeNull();
    await store.end();
  });

  it('is ready when it can be written', async () => {
    const store = SqliteStore.open(temporaryFile());
    await store.ready();
    await store.end();
  });
});

describe('[P1] watching', () => {
  it('own changes are heard when the step is told, those of another connection within 250 ms', async () => {
    const path = temporaryFile();
    const [here, there] = [SqliteStore.open(path), SqliteStore.open(path)];
    const heard: string[] = [];
    let rows = 0;
    here.watch((id) => heard.push(id));
    here.audit.watch(() => rows++);
    await here.create(question('own'));
    expect([heard, rows]).toEqual([['own'], 1]);
    await there.create(question('foreign'));
    const started = performance.now();
    await eventually(() => heard.includes('foreign'), 'the news');
    expect(performance.now() - started).toBeLessThan(250);
    expect([heard, rows]).toEqual([['own', 'foreign'], 2]);
    await there.audit.append({ type: 'turn_limit' }, NOW);
    await eventually(() => rows === 3, 'the news of a row');
    await Promise.all([here.decide('own', decision('rejected')), there.decide('foreign', decision('rejected'))]);
    await eventually(() => heard.length === 4, 'the news of two decisions at once');
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(heard.toSorted()).toEqual(['foreign', 'foreign', 'own', 'own']);
    await Promise.all([here.end(), there.end()]);
  });
});
