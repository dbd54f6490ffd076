import { describe, expect, it } from 'vitest';
import { call, type LogLine, unlock, world } from '../../test/gate-fixture.ts';
import type { AgentEvent, EventSink } from './events.ts';
import type { Logger } from './platform.ts';

const levels = (log: readonly LogLine[]): readonly string[] => log.map((line) => `${line.level}: ${line.message}`);

describe('[G4] the tool_call event', () => {
  it.each([
    ['read_lock', 0, 'not_required'],
    ['add_note', 1, 'not_required'],
    ['unlock_door', 2, 'approved'],
  ])('is emitted once for a call of %s, of tier %i', async (tool, tier, approval) => {
    const { gate, clock, of, body } = world(['approved']);
    await gate.run(call(tool, { a: 1 }), body);
    expect(of('tool_call')).toEqual([
      {
        type: 'tool_call',
        at: clock.now(),
        tool,
        tier,
        arguments: { a: 1 },
        toolUseId: 'tooluse_1',
        status: 'success',
        resultSummary: 'done',
        approval,
        ...(tier === 2 ? { approvalId: expect.stringMatching(/^[0-9a-f]{32}$/) } : {}),
        durationMs: 0,
        origin: { kind: 'model', conversation: 'c1' },
      },
    ]);
  });

  it('is not emitted by check, redeem or a pending call, and once by record', async () => {
    const { gate, of } = world(['approved', { parked: true }]);
    const verdict = await gate.check(unlock());
    if (verdict.allowed) await gate.redeem(verdict.ticket, unlock());
    expect(await gate.run(unlock(), async () => 1)).toMatchObject({ status: 'pending' });
    expect(of('tool_call')).toEqual([]);
    gate.record(unlock(), { status: 'success', value: 'ok', approval: 'approved', durationMs: 7 });
    gate.record(unlock(), { status: 'pending', approvalId: 'q' });
    expect(of('tool_call')).toMatchObject([{ tool: 'unlock_door', resultSummary: 'ok', durationMs: 7, tier: 2 }]);
  });

  it('tells the origin of a call that states none as direct', async () => {
    const { gate, of, body } = world();
    await gate.run({ tool: 'read_lock', arguments: null }, body);
    expect(of('tool_call')).toMatchObject([{ origin: { kind: 'direct' } }]);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'opened', 'opened'],
    ['nothing', undefined, 'undefined'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['a bigint', 10n, '(a value that JSON cannot carry)'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['a long text', 'x'.repeat(300), `${'x'.repeat(199)}…`],
    ['a long text of emoji', '😀'.repeat(150), `${'😀'.repeat(99)}\ufffd…`],
  ])('sums up %s', async (_what, value, summary) => {
    const { gate, of } = world();
    await gate.run(call('read_lock', {}), async () => value);
    expect(of('tool_call')).toMatchObject([{ resultSummary: summary }]);
  });
});

describe('[G15] sinks', () => {
  const fail = (): never => {
    throw new Error('broken sink');
  };

  it.each<[string, EventSink]>([
    ['throws', fail],
    ['rejects', () => Promise.reject(new Error('broken sink'))],
    ['returns a thenable that fails', (() => Object.fromEntries([['then', fail]])) as never],
    ['never settles', () => new Promise(() => undefined)],
  ])('one that %s changes no decision, and the others get every event', async (_what, sink) => {
    const seen: AgentEvent[] = [];
    const { gate, of, ran, body } = world(['approved', 'rejected'], {
      sinks: [sink, (event) => void seen.push(event)],
    });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success' });
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'refused' });
    expect(ran).toHaveLength(1);
    expect(seen.map((event) => event.type)).toEqual(['approval', 'tool_call', 'approval', 'tool_call']);
    expect([...of('approval'), ...of('tool_call')]).toHaveLength(4);
  });

  it('are logged when they fail', async () => {
    const { gate, clock, log } = world([], { sinks: [fail, () => Promise.reject(new Error('broken later'))] });
    gate.reportTurnLimit('turns', 3, { kind: 'model' });
    await clock.advance(0);
    expect(log.filter((line) => line.level === 'error')).toEqual([
      { level: 'error', message: 'an event sink failed', fields: { error: 'broken sink' } },
      { level: 'error', message: 'an event sink failed', fields: { error: 'broken later' } },
    ]);
  });

  it('can be added and taken away while the gate works', async () => {
    const { gate } = world();
    const seen: string[] = [];
    const undo = gate.subscribe((event) => void seen.push(event.type));
    gate.reportError('agent', 'one');
    undo();
    gate.reportError('agent', 'two');
    expect(seen).toEqual(['error']);
  });

  it('get every kind of event with its fields', () => {
    const { gate, clock, events } = world();
    gate.reportTurnLimit('totalTokens', 100, { kind: 'model', conversation: 'c1' });
    gate.reportError('interrupt', 'refused', { tool: 'x', toolUseId: 't', origin: { kind: 'mcp' } });
    expect(events).toEqual([
      {
        type: 'turn_limit',
        at: clock.now(),
        limit: 'totalTokens',
        value: 100,
        origin: { kind: 'model', conversation: 'c1' },
      },
      {
        type: 'error',
        at: clock.now(),
        where: 'interrupt',
        message: 'refused',
        tool: 'x',
        toolUseId: 't',
        origin: { kind: 'mcp' },
      },
    ]);
  });
});

describe('[G16] the log', () => {
  it('has tier 0 at debug, tiers 1 and 2 at info, decisions at info', async () => {
    const { gate, log, body } = world(['approved', 'rejected']);
    await gate.run(call('read_lock', {}), body);
    await gate.run(call('add_note', {}), body);
    await gate.run(unlock(), body);
    await gate.run(unlock(), body);
    expect(levels(log)).toEqual([
      'debug: tool_call',
      'info: tool_call',
      'info: approval',
      'info: tool_call',
      'info: approval',
      'info: tool_call',
    ]);
    expect(log[3]?.fields).toEqual({
      tool: 'unlock_door',
      tier: 2,
      arguments: '{"door":"front"}',
      status: 'success',
      result: 'done',
      approval: 'approved',
      durationMs: 0,
    });
    expect(log[5]?.fields).toMatchObject({ status: 'error', approval: 'rejected', reason: 'rejected' });
    expect(log[2]?.fields).toMatchObject({ tool: 'unlock_door', decision: 'approved', approver: 'scripted' });
  });

  it('has unknown tools at warn, and nothing about them at error', async () => {
    const { gate, log, body } = world();
    await gate.run(call('open_window', {}), body);
    expect(levels(log)).toEqual([
      "warn: Tool 'open_window' is not registered; it was not run.",
      'warn: tool_call of an unknown tool',
    ]);
  });

  it('has timeouts at warn and approver failures at error', async () => {
    const { gate, log } = world(['timeout', () => Promise.reject(new Error('unplugged'))]);
    await gate.check(unlock());
    await gate.check(unlock());
    expect(levels(log)).toEqual([
      'warn: approval timed out',
      "error: approver 'scripted' failed: decide() failed",
      'info: approval',
    ]);
    expect(log[1]?.fields).toMatchObject({ where: 'approver', tool: 'unlock_door', error: 'unplugged' });
  });

  it('has turn limits at info, and warnings about the set-up at warn', () => {
    const { gate, log } = world();
    gate.reportTurnLimit('turns', 3, { kind: 'model' });
    gate.warn('mind the gap');
    expect(levels(log)).toEqual(['info: turn limit reached', 'warn: mind the gap']);
  });

  it('hides secrets by path; the question, the record, the events and the body have them', async () => {
    const { gate, approver, log, of, ran, body } = world(['approved'], { redact: ['code', 'owner.phone'] });
    const args = { door: 'front', code: 'open sesame', owner: { phone: 'number withheld', name: 'Ada' } };
    await gate.run(call('unlock_door', args), body);
    expect(JSON.stringify(log)).not.toMatch(/sesame|withheld/);
    expect(log.find((line) => line.message === 'tool_call')?.fields?.arguments).toBe(
      '{"door":"front","code":"[redacted]","owner":{"phone":"[redacted]","name":"Ada"}}',
    );
    expect(approver.requests[0]?.arguments).toEqual(args);
    expect((await gate.store.list()).records[0]?.request.arguments).toEqual(args);
    expect([of('approval')[0]?.arguments, of('tool_call')[0]?.arguments, ran[0]]).toEqual([args, args, args]);
  });

  it('hides them also where the result repeats them, and in what the body threw', async () => {
    const { gate, log, of } = world(['approved', 'approved'], { redact: ['code'] });
    const args = { door: 'front', code: 'open sesame' };
    await gate.run(call('unlock_door', args), async (given) => `opened with ${JSON.stringify(given)}`);
    await gate.run(call('unlock_door', args), () => Promise.reject(new Error('wrong code open sesame')));
    const results = log.filter((line) => line.message === 'tool_call').map(({ fields }) => fields?.result);
    expect(results).toEqual(['opened with {"door":"front","code":"[redacted]"}', 'wrong code [redacted]']);
    expect(of('tool_call')[1]?.resultSummary).toBe('wrong code open sesame');
  });

  it('that throws or rejects changes no decision and no event', async () => {
    const fail = (): never => {
      throw new Error('no disk');
    };
    const rejects = (async () => fail()) as unknown as Logger['info'];
    const loggers: readonly Logger[] = [
      { debug: fail, info: fail, warn: fail, error: fail },
      { debug: rejects, info: rejects, warn: rejects, error: rejects },
    ];
    for (const logger of loggers) {
      const { gate, clock, of, ran, body } = world(['approved', 'timeout', () => Promise.reject(new Error('x'))], {
        logger,
      });
      expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success' });
      expect(await gate.run(unlock(), body)).toMatchObject({ refusal: { approval: 'timeout' } });
      expect(await gate.run(unlock(), body)).toMatchObject({ refusal: { reason: 'approver_failed' } });
      expect(await gate.run(call('open_window', {}), body)).toMatchObject({ status: 'refused' });
      await clock.advance(0);
      expect(ran).toHaveLength(1);
      expect(of('tool_call')).toHaveLength(4);
    }
  });
});
