import type { AgentEvent } from 'strands-tau';
import { MemoryAuditLog } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AuditWriter } from '../../src/hub/audit-sink.ts';
import { call, DONE, house, quietLogger, until } from '../support/strands.ts';
import { startHub } from './support/hub.ts';

const SECRET = 'hunter2-"secret"';
const origin = { kind: 'model' } as const;
const ARGS = { door: 'front', password: SECRET, body: JSON.stringify({ pin: 'pin-4711' }) };

const about = { tool: 'unlock_door', tier: 2, arguments: ARGS, durationMs: 1, origin } as const;
const run = { ...about, type: 'tool_call', at: 1, status: 'success', approval: 'approved' } as const;

/** What a gate tells, with the secrets wherever a text can repeat them. */
const EVENTS: readonly AgentEvent[] = [
  { ...run, resultSummary: `opened with ${JSON.stringify({ password: SECRET })}` },
  { ...run, resultSummary: `asked with ${JSON.stringify(ARGS)}, used pin-4711` },
  { ...run, resultSummary: `cut off: ${ARGS.body.slice(0, 13)}…` },
  {
    ...about,
    type: 'approval',
    at: 2,
    approvalId: 'a',
    digest: 'd',
    effect: `Opens with ${SECRET} and ${ARGS.body}`,
    decision: 'rejected',
    approver: 'x',
    reason: `do not use ${SECRET}`,
  },
];

describe('[P5] secrets of arguments', () => {
  it('are in no text of the audit of a hub in memory', async () => {
    const home = house();
    const schema = z.object({ door: z.string(), password: z.string() });
    const tools = [home.tool('unlock_door', 2, schema, (input) => `opened with ${JSON.stringify(input)}`)];
    const turn = call('unlock_door', { door: 'front', password: SECRET }, 'c1');
    const hub = await startHub([[turn], DONE], { house: { ...home, tools }, hub: { redact: ['password'] } });
    const ada = await hub.token();
    await hub.run(ada);
    const { id, digest } = await hub.question(ada);
    await hub.send(`/api/approvals/${id}/decision`, { token: ada, body: { decision: 'approved', digest } });
    await until(() => hub.model.calls.length === 2);
    const rows = JSON.stringify(await hub.state.audit.rows());
    expect(rows).toContain('resultSummary":"opened with');
    expect(rows).toContain('hmac:');
    expect(rows).not.toContain('hunter2');
  });

  it('are gone wherever an event repeats them, whichever of hub and log knows the path', async () => {
    const key = 'k'.repeat(16);
    for (const [ofHub, ofLog] of [
      [['password', 'pin'], []],
      [['password'], ['password', 'pin']],
      [['pin'], ['password']],
      [[], ['password', 'pin']],
      [['body'], ['password', 'body.pin']],
    ] as const) {
      const store = SqliteStore.open(':memory:', { redact: { paths: ofLog, key } });
      const audit = ofLog.length === 0 ? new MemoryAuditLog() : store.audit;
      const { sink } = new AuditWriter(audit, {
        decisions: true,
        redact: ofHub,
        clock: new ManualClock(),
        log: quietLogger().logger,
      });
      for (const event of EVENTS) await sink(event);
      const rows = JSON.stringify(await audit.rows());
      for (const secret of ['hunter2', 'pin-'])
        expect([ofHub, ofLog, rows]).not.toContainEqual(expect.stringContaining(secret));
      await store.end();
    }
  });
});
