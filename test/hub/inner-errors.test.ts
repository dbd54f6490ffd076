import { Inbox } from 'strands-tau';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { ScriptedChannel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { DONE, unlock, until } from '../support/strands.ts';
import { ADA, newState, type State, startHub } from './support/hub.ts';

const INNER = 'request to https://api.pager.example/bot123456:AAsecret failed, connect ECONNREFUSED 10.0.0.5:443';

/** Where steps of approvals are chained by the store itself, and where the hub adds what it is told. */
const STATES: readonly (readonly [string, () => State])[] = [
  ['memory', () => newState()],
  [
    'SQLite',
    () => {
      const store = SqliteStore.open(':memory:');
      return { ...newState(store), audit: store.audit };
    },
  ],
];

describe('[P19, P22] what goes wrong inside', () => {
  it.each(STATES)('is told in the log, and to nobody over HTTP: a channel that fails (%s)', async (kind, make) => {
    const broken = new ScriptedChannel({ name: 'pager', person: ADA, script: [new Error(INNER)] });
    const up = new ScriptedChannel({ name: 'page', person: ADA });
    const approver = new Inbox({ channels: [broken, up], waits: false });
    const hub = await startHub([[unlock('front', 'c1')], DONE], {
      approver,
      state: make(),
      hub: { auditsDecisions: kind === 'memory' },
    });
    const ada = await hub.token('ada', ['run']);
    await hub.run(ada);
    await until(() => hub.log.some((line) => line.includes('could not deliver')));
    const { id } = await hub.question(ada);
    await expect
      .poll(async () => (await hub.send(`/api/approvals/${id}`, { token: ada })).body.approval.deliveries)
      .toHaveLength(2);
    const { approval } = (await hub.send(`/api/approvals/${id}`, { token: ada })).body;
    expect(approval.deliveries.map(({ at: _at, ...rest }: { at: number }) => rest)).toEqual(
      expect.arrayContaining([
        { channel: 'pager', delivered: false },
        { channel: 'page', delivered: true },
      ]),
    );
    const audit = await hub.send('/api/audit', { token: ada });
    expect(JSON.stringify(audit.body)).toContain("channel 'pager' could not deliver a question");
    const list = await hub.send('/api/approvals', { token: ada });
    for (const { body } of [audit, list]) expect(JSON.stringify(body)).not.toMatch(/AAsecret|10\.0\.0\.5/);
    expect(JSON.stringify(await hub.state.store.get(id))).not.toContain('AAsecret');
    expect(hub.log.join('\n')).toContain(INNER);
  });

  it('of an older record is not shown either', async () => {
    const hub = await startHub([[unlock('front', 'c1')], DONE]);
    const ada = await hub.token();
    await hub.run(ada);
    const { id } = await hub.question(ada);
    await hub.state.store.deliver(id, { channel: 'pager', at: 5, delivered: false, error: INNER });
    const { approval } = (await hub.send(`/api/approvals/${id}`, { token: ada })).body;
    expect(approval.deliveries).toEqual([{ channel: 'pager', at: 5, delivered: false }]);
  });
});
