import { describe, expect, it } from 'vitest';
import { call, held, unlock, world } from '../../test/gate-fixture.ts';
import type { Answer } from './approver.ts';
import type { ToolCall } from './call.ts';
import { isSealed } from './json.ts';

describe('[G11] what looks at a call', () => {
  it('gets the same frozen object: request, exemption, effect, record, events and body', async () => {
    const seen: unknown[] = [];
    const { gate, approver, of, ran, body, catalog } = world([
      (request) => {
        seen.push(request.arguments);
        return 'approved';
      },
    ]);
    catalog.register({
      name: 'open_gate',
      tier: 2,
      inputSchema: {},
      effect: (args) => {
        seen.push(args);
        return 'Opens the gate';
      },
    });
    gate.addExemption((_tool, args) => {
      seen.push(args);
      return false;
    });
    await gate.run(call('open_gate', { width: [1, { m: 2 }] }), body);
    const [args] = ran;
    expect(isSealed(args)).toBe(true);
    seen.push(approver.requests[0]?.arguments);
    seen.push((await gate.store.list()).records[0]?.request.arguments);
    seen.push(...of('approval').map((event) => event.arguments), ...of('tool_call').map((event) => event.arguments));
    expect(seen).toHaveLength(7);
    for (const value of seen) expect(value).toBe(args);
  });

  it('cannot change it: the request, its origin and the events are frozen', async () => {
    const attempts: unknown[] = [];
    const attempt = (target: object, change: object): void => {
      try {
        Object.assign(target, change);
      } catch (error) {
        attempts.push(error);
      }
    };
    const { gate, ran, body } = world(
      [
        (request) => {
          attempt(request, { arguments: { door: 'back' } });
          attempt(Object(request.arguments), { door: 'back' });
          attempt(request.origin, { conversation: 'c2' });
          attempt(request.origin.principal ?? {}, { id: 'eve' });
          attempt(request.origin.principal?.roles ?? [], ['owner']);
          return 'approved';
        },
      ],
      {
        sinks: [
          (event) => attempt(event, { type: 'nothing' }),
          (event) => attempt(event.origin ?? {}, { kind: 'mcp' }),
        ],
      },
    );
    await gate.run(unlock('front', { principal: { id: 'ada', kind: 'person', roles: ['guest'] } }), body);
    expect(attempts).toHaveLength(5 + 4);
    expect(attempts.every((error) => error instanceof TypeError)).toBe(true);
    expect(ran).toEqual([{ door: 'front' }]);
  });

  it('does not see what the caller changes afterwards, in arguments, origin, principal or roles', async () => {
    const answer = held<Answer>();
    const { gate, clock, of, ran, body } = world([() => answer.promise]);
    const roles = ['guest'];
    const principal = Object.freeze({ id: 'ada', kind: 'person' as const, roles });
    const origin = { kind: 'model' as const, conversation: 'c1', principal };
    const args = { door: 'front' };
    const mine = { tool: 'unlock_door', arguments: args, toolUseId: 't1', origin };
    const running = gate.run(mine, body);
    await clock.advance(0);
    args.door = 'back';
    roles.push('owner');
    origin.conversation = 'c2';
    mine.tool = 'run_shell';
    mine.toolUseId = 't2';
    answer.settle('approved');
    await running;
    expect(ran).toEqual([{ door: 'front' }]);
    const expected = {
      tool: 'unlock_door',
      arguments: { door: 'front' },
      toolUseId: 't1',
      origin: { kind: 'model', conversation: 'c1', principal: { id: 'ada', kind: 'person', roles: ['guest'] } },
    };
    expect(of('approval')).toMatchObject([expected]);
    expect(of('tool_call')).toMatchObject([expected]);
  });

  it('sees no change that a parser or body makes to what came in', async () => {
    const { gate, of, ran } = world(['approved']);
    const outcome = await gate.run(
      unlock(),
      async (args) => {
        ran.push(args);
        Object.assign(args ?? {}, { door: 'back' });
      },
      { parse: (input) => ({ ...Object(input), forced: false }) },
    );
    expect(outcome).toMatchObject({ status: 'error', error: expect.any(TypeError) });
    expect(ran).toEqual([{ door: 'front', forced: false }]);
    expect(of('tool_call')).toMatchObject([{ arguments: { door: 'front', forced: false }, status: 'error' }]);
  });

  it('an error event does not hand out the origin of the caller', async () => {
    const origin = { kind: 'model' as const, conversation: 'c1', principal: { id: 'ada', kind: 'person' as const } };
    const { gate, of } = world();
    await gate.check({ tool: 'open_window', arguments: {}, origin });
    gate.reportError('agent', 'x', { origin });
    gate.reportTurnLimit('turns', 5, origin);
    for (const event of [...of('error'), ...of('turn_limit')]) {
      expect(event.origin).toEqual(origin);
      expect(event.origin).not.toBe(origin);
      expect([Object.isFrozen(event.origin), Object.isFrozen(event.origin?.principal)]).toEqual([true, true]);
    }
    expect(Object.isFrozen(origin)).toBe(false);
  });
});

describe('[G11] arguments that are not plain JSON', () => {
  it.each<[string, unknown]>([
    ['NaN', { door: Number.NaN }],
    ['undefined', undefined],
    ['a lone surrogate', { door: '\ud800' }],
    ['a getter', Object.defineProperty({}, 'door', { enumerable: true, get: () => 'front' })],
    ['toJSON', { toJSON: () => ({ door: 'front' }) }],
    ['__proto__', JSON.parse('{"__proto__":{"door":"front"}}')],
    ['a Date', new Date(0)],
  ])(
    '%s: nobody is asked, nothing runs, the model is told to correct it, the event is readable',
    async (_what, args) => {
      const { gate, approver, of, ran, body } = world(['approved']);
      gate.addExemption(() => true);
      const odd: ToolCall = { ...unlock(), ...({ arguments: args } as object) };
      expect(await gate.run(odd, body)).toMatchObject({
        status: 'refused',
        refusal: {
          approval: 'refused',
          reason: 'invalid_arguments',
          refusal: expect.stringMatching(
            /^The input for tool 'unlock_door' is not valid: .*It was not run; correct the input\.$/,
          ),
        },
      });
      expect([approver.requests, ran]).toEqual([[], []]);
      expect(of('tool_call')).toMatchObject([{ approval: 'refused', reason: 'invalid_arguments' }]);
      expect(() => JSON.stringify(of('tool_call'))).not.toThrow();
    },
  );

  it('a parser that throws is invalid_arguments with its message, and so is one that returns no JSON', async () => {
    const { gate, approver } = world(['approved']);
    const parse = (): never => {
      throw new Error('door is required');
    };
    expect(await gate.check(unlock(), { parse })).toMatchObject({
      reason: 'invalid_arguments',
      refusal: "The input for tool 'unlock_door' is not valid: door is required. It was not run; correct the input.",
    });
    expect(await gate.check(unlock(), { parse: () => new Date(0) })).toMatchObject({ reason: 'invalid_arguments' });
    expect(approver.requests).toEqual([]);
  });

  it('the parser of the catalog is used when the call brings none of its own', async () => {
    const { gate, approver, catalog } = world(['approved', 'approved']);
    catalog.register({
      name: 'open_gate',
      tier: 2,
      effect: 'Opens',
      inputSchema: {},
      parse: (input) => {
        if (input === null) throw new Error('nothing to open');
        return { gate: input };
      },
    });
    expect(await gate.check(call('open_gate', null))).toMatchObject({ reason: 'invalid_arguments' });
    await gate.check(call('open_gate', 'north'));
    await gate.check(call('open_gate', 'north'), { parse: () => 'own' });
    expect(approver.requests.map((request) => request.arguments)).toEqual([{ gate: 'north' }, 'own']);
  });

  it('a tool that this caller may not see does not parse, so nothing of its schema leaks', async () => {
    const { gate } = world();
    let parsed = 0;
    const parse = (): null => {
      parsed++;
      return null;
    };
    await gate.check(unlock(), { parse, visible: new Set() });
    await gate.check(call('open_window', {}), { parse });
    expect(parsed).toBe(0);
  });

  it('what the parser returns is asked about and runs, not what came in', async () => {
    const { gate, approver, ran, body } = world(['approved']);
    await gate.run(call('unlock_door', 'front'), body, { parse: (input) => ({ door: input, seconds: 30 }) });
    expect(approver.requests[0]?.arguments).toEqual({ door: 'front', seconds: 30 });
    expect(ran[0]).toBe(approver.requests[0]?.arguments);
  });
});
