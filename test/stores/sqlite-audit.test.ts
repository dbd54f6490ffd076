import { DatabaseSync } from 'node:sqlite';
import { type AuditRow, auditSink, type JSONValue, verifyLog } from 'strands-tau';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/core/json.ts';
import { decision, NOW, outcome, question, receipt } from '../../src/testing/store-contract/sample.ts';
import { temporaryFile } from './support/folder.ts';

async function oneOfEach(store: SqliteStore): Promise<void> {
  await store.create(question('one'));
  await store.deliver('one', receipt);
  await store.decide('one', decision('approved'));
  await store.consume('one', 'token-1', NOW + 2000);
  await store.finish('one', 'token-1', outcome('done'));
  await store.create(question('two', { createdAt: NOW + 4000 }));
  await store.close('two', 'cancelled', NOW + 5000, 'withdrawn');
  await store.create(question('three', { kind: 'journal', status: 'approved', createdAt: NOW + 6000 }));
  await store.consume('three', 'token-2', NOW + 7000);
  await store.lose('three', NOW + 8000);
}

async function events(store: SqliteStore): Promise<readonly AuditRow['event'][]> {
  return (await store.audit.rows({ limit: 1000 })).map(({ event }) => event);
}

describe('[P5] the audit', () => {
  it('has a row for each step of an approval, with who, what, where and when', async () => {
    const store = SqliteStore.open(':memory:');
    await oneOfEach(store);
    const rows = await store.audit.rows();
    expect(rows.map(({ seq, at, event }) => [seq, at - NOW, event.type, event.approvalId])).toEqual([
      [1, 0, 'approval_created', 'one'],
      [2, 500, 'approval_delivered', 'one'],
      [3, 1000, 'approval_decided', 'one'],
      [4, 2000, 'approval_consumed', 'one'],
      [5, 3000, 'approval_finished', 'one'],
      [6, 4000, 'approval_created', 'two'],
      [7, 5000, 'approval_closed', 'two'],
      [8, 6000, 'approval_created', 'three'],
      [9, 7000, 'approval_consumed', 'three'],
      [10, 8000, 'approval_lost', 'three'],
    ]);
    const { request } = question('one');
    expect(rows[2]?.event).toEqual({
      type: 'approval_decided',
      approvalId: 'one',
      kind: 'question',
      tool: request.tool,
      tier: 2,
      effect: request.effect,
      arguments: request.arguments,
      digest: request.digest,
      requester: { id: 'ada', kind: 'person', roles: ['owner'] },
      origin: { kind: 'model', conversation: 'conversation-1', run: 'run-1', channel: 'terminal' },
      toolUseId: 'tooluse_1',
      decision: 'approved',
      by: { id: 'ada', kind: 'person', roles: ['owner'] },
      channel: 'terminal',
      tookMs: 1000,
      reason: decision('approved').reason,
      shownDigest: decision('approved').shownDigest,
    });
    expect(rows[6]?.event).toMatchObject({ status: 'cancelled', because: 'withdrawn' });
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 10, head: await store.audit.head() });
    await store.end();
  });

  it('tells of a question that was replaced, of what stands for it, and of who approved that', async () => {
    const store = SqliteStore.open(':memory:');
    await store.create(question('one'));
    const made = { editOf: 'one', createdAt: NOW + 1000, updatedAt: NOW + 1000 };
    const next = question('two', { ...made, status: 'approved', decision: decision('approved', 'bob') });
    await store.replace('one', next, 'edited', NOW + 1000);
    const rows = (await store.audit.rows()).slice(1);
    expect(rows.map(({ at, event }) => [at - NOW, event.type, event.approvalId])).toEqual([
      [1000, 'approval_closed', 'one'],
      [1000, 'approval_created', 'two'],
      [1000, 'approval_decided', 'two'],
    ]);
    expect(rows[0]?.event).toMatchObject({ status: 'void', because: 'edited' });
    expect(rows[1]?.event).toMatchObject({ status: 'approved', editOf: 'one' });
    expect(rows[2]?.event).toMatchObject({ decision: 'approved', by: { id: 'bob' } });
    await store.end();
  });

  it('tells who withdrew a question, and of what an ordered attempt is one', async () => {
    const store = SqliteStore.open(':memory:');
    await store.create(question('one'));
    await store.close('one', 'cancelled', NOW, 'withdrawn', { id: 'bob', kind: 'person', roles: ['family'] });
    await store.create(question('two', { retryOf: 'one', status: 'approved', decision: decision('approved') }));
    const [, closed, created] = await events(store);
    expect(closed).toMatchObject({ type: 'approval_closed', by: { id: 'bob', kind: 'person', roles: ['family'] } });
    expect(created).toMatchObject({ type: 'approval_created', retryOf: 'one' });
    await store.end();
  });

  it('a replacement that cannot be written leaves the question open, and no row', async () => {
    const path = temporaryFile();
    const store = SqliteStore.open(path);
    await store.create(question('one'));
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER no_second BEFORE INSERT ON approvals BEGIN SELECT raise(ABORT, 'no'); END");
    const replaced = store.replace('one', question('two', { editOf: 'one' }), 'edited', NOW);
    await expect(replaced).rejects.toMatchObject({ code: 'store_failed' });
    expect([await store.get('one'), await store.get('two')]).toEqual([question('one'), undefined]);
    expect((await events(store)).map(({ type }) => type)).toEqual(['approval_created']);
    other.exec('DROP TRIGGER no_second');
    other.close();
    await store.end();
  });

  it('has no row for a step that was not taken, and no step without its row', async () => {
    const path = temporaryFile();
    const store = SqliteStore.open(path);
    await store.create(question('one'));
    await Promise.all(Array.from({ length: 20 }, () => store.decide('one', decision('rejected'))));
    await expect(store.create(question('one'))).rejects.toMatchObject({ code: 'duplicate_id' });
    expect((await events(store)).map(({ type }) => type)).toEqual(['approval_created', 'approval_decided']);
    const other = new DatabaseSync(path);
    other.exec("CREATE TRIGGER no_audit BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'no'); END");
    await expect(store.create(question('two'))).rejects.toMatchObject({ code: 'store_failed' });
    other.exec('DROP TRIGGER no_audit');
    other.exec("CREATE TRIGGER no_step BEFORE UPDATE ON approvals BEGIN SELECT raise(ABORT, 'no'); END");
    expect(await store.get('two')).toBeUndefined();
    await store.create(question('two'));
    await expect(store.decide('two', decision('approved'))).rejects.toMatchObject({ code: 'store_failed' });
    other.close();
    expect((await store.get('two'))?.status).toBe('pending');
    expect((await events(store)).map(({ type }) => type)).toEqual([
      'approval_created',
      'approval_decided',
      'approval_created',
    ]);
    await store.end();
  });

  it('keeps other events of the agent in the same order; approval events are left to the store', async () => {
    const store = SqliteStore.open(':memory:');
    const sink = auditSink(store.audit);
    const { request } = question('one');
    const about = { tool: 'unlock_door', tier: 2, arguments: request.arguments, origin: request.origin } as const;
    await store.create(question('one'));
    const told = [
      sink({
        ...about,
        type: 'tool_call',
        at: NOW,
        status: 'success',
        resultSummary: 'x',
        approval: 'approved',
        durationMs: 1,
      }),
      sink({
        ...about,
        type: 'approval',
        at: NOW,
        approvalId: 'one',
        effect: '',
        digest: '',
        decision: 'approved',
        approver: 'x',
        durationMs: 1,
      }),
      sink({ type: 'error', at: NOW + 1, where: 'store', message: 'half a \ud800 character' }),
      sink({ type: 'turn_limit', at: NOW + 2, limit: 'turns', value: Number.NaN }),
      sink({
        ...about,
        type: 'tool_call',
        at: NOW,
        tier: undefined,
        arguments: JSON.parse('{"__proto__":1}'),
        status: 'error',
        resultSummary: '',
        approval: 'refused',
        durationMs: 0,
      }),
    ];
    await Promise.all(told);
    expect((await events(store)).map((event) => [event.type, event.message ?? event.value ?? null])).toEqual([
      ['approval_created', null],
      ['tool_call', null],
      ['error', 'half a \ufffd character'],
      ['turn_limit', 'NaN'],
      ['tool_call', null],
    ]);
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 5 });
    await store.end();
  });

  it('shows what was edited, removed or moved in the file, and where', async () => {
    const changes: readonly (readonly [sql: string, seq: number, problem: string])[] = [
      ["UPDATE audit SET event = replace(event, 'front', 'back') WHERE seq = 3", 3, 'edited'],
      ['UPDATE audit SET at = at + 1 WHERE seq = 4', 4, 'edited'],
      ["UPDATE audit SET hash = 'x' WHERE seq = 4", 4, 'edited'],
      ["UPDATE audit SET prev = 'x' WHERE seq = 4", 4, 'edited'],
      ["UPDATE audit SET event = ' ' || event WHERE seq = 4", 4, 'edited'],
      [`UPDATE audit SET event = '{"type":"nothing",' || substr(event, 2) WHERE seq = 4`, 4, 'edited'],
      [`UPDATE audit SET event = replace(event, '"approval', '"\\u0061pproval') WHERE seq = 4`, 4, 'edited'],
      [
        "UPDATE audit SET event = json_set(json_remove(event, '$.by'), '$.by', event -> '$.by') WHERE seq = 4",
        4,
        'edited',
      ],
      ['INSERT INTO audit SELECT -5, at, event, prev, hash FROM audit WHERE seq = 1', -5, 'reordered'],
      ['INSERT INTO audit SELECT 0, at, event, prev, hash FROM audit WHERE seq = 1', 0, 'reordered'],
      ['DELETE FROM audit WHERE seq = 5', 5, 'missing'],
      ['DELETE FROM audit WHERE seq < 4', 1, 'missing'],
      [
        'UPDATE audit SET seq = CASE seq WHEN 6 THEN -7 WHEN 7 THEN -6 END WHERE seq IN (6, 7); UPDATE audit SET seq = -seq WHERE seq < 0',
        6,
        'edited',
      ],
      [
        'DELETE FROM audit WHERE seq < 4; UPDATE audit_anchor SET seq = 3, hash = (SELECT prev FROM audit WHERE seq = 4)',
        3,
        'anchor',
      ],
    ];
    for (const [sql, seq, problem] of changes) {
      const path = temporaryFile();
      const store = SqliteStore.open(path);
      await oneOfEach(store);
      const editor = new DatabaseSync(path);
      editor.exec(sql);
      editor.close();
      expect(await verifyLog(store.audit), sql).toEqual({ ok: false, seq, problem });
      await store.end();
    }
  });

  it('takes an event with names of every kind for what was written', async () => {
    const store = SqliteStore.open(temporaryFile());
    const names = { 10: 1, 9: { b: [{ z: 1, a: null }], a: 1e21 }, '!': -1, é: 'ü\u2028', A: '\u0001', a: 0.1, '': '' };
    await store.audit.append({ type: 'x', names }, NOW);
    const [row] = await store.audit.rows();
    expect(row).not.toHaveProperty('altered');
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 1 });
    await store.end();
  });

  it('shows a cut tail to whoever kept a head elsewhere', async () => {
    const path = temporaryFile();
    const store = SqliteStore.open(path);
    await oneOfEach(store);
    const { hash } = await store.audit.head();
    await store.create(question('four'));
    expect(await verifyLog(store.audit, { head: hash })).toMatchObject({ ok: true, rows: 11 });
    const editor = new DatabaseSync(path);
    editor.exec('DELETE FROM audit WHERE seq > 8');
    editor.close();
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true });
    expect(await verifyLog(store.audit, { head: hash })).toEqual({ ok: false, seq: 8, problem: 'cut' });
    await store.end();
  });

  it('never sees a secret, wherever an event repeats it; equal ones stay equal', async () => {
    const path = temporaryFile();
    const redact = { paths: ['pin', 'card.number'], key: 'k'.repeat(16) };
    const store = SqliteStore.open(path, { redact });
    const asked = question('one');
    const args = { pin: 'hunter2 "x"', card: { number: 4111, name: 'A' } };
    await store.create({
      ...asked,
      request: { ...asked.request, arguments: args, effect: 'Pays 4111 with hunter2 "x"' },
    });
    await store.decide('one', { ...decision('rejected'), reason: 'hunter2 "x" is wrong' });
    await auditSink(store.audit)({
      type: 'tool_call',
      at: NOW,
      tool: 'pay',
      tier: 2,
      arguments: { pin: 'hunter2 "x"' },
      status: 'success',
      resultSummary: 'paid {"pin":"hunter2 \\"x\\""} and then hunt…',
      approval: 'approved',
      durationMs: 1,
      origin: { kind: 'direct' },
    });
    const [created, decided, called] = await events(store);
    const pinOf = (event: AuditRow['event'] | undefined): JSONValue | undefined =>
      isJsonObject(event?.arguments) ? event.arguments.pin : undefined;
    const pin = pinOf(created);
    expect(pin).toMatch(/^hmac:[0-9a-f]{64}$/);
    expect(created?.arguments).toEqual({ pin, card: { number: expect.stringMatching(/^hmac:/), name: 'A' } });
    expect(pinOf(called)).toBe(pin);
    expect(decided?.reason).toBe(`${pin} is wrong`);
    expect(called?.resultSummary).toBe(`paid {"pin":"${pin}"} and then ${pin}…`);
    const raw = new DatabaseSync(path);
    const written = JSON.stringify(raw.prepare('SELECT event FROM audit').all());
    raw.close();
    expect(written).not.toMatch(/hunt|4111/);
    expect((await store.get('one'))?.request.arguments).toEqual(args);
    expect(await verifyLog(store.audit)).toMatchObject({ ok: true, rows: 3 });
    await store.end();
    expect(() => SqliteStore.open(':memory:', { redact: { paths: ['pin'], key: 'short' } })).toThrow(/16 random/);
  });
});
