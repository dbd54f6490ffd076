import { tauTool } from 'strands-tau/strands';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house, unlock } from '../support/strands.ts';
import { refusal } from '../support/strands-checks.ts';
import { type Served, type ServedOptions, served } from './support/served.ts';
import {
  answer,
  cancel,
  endOf,
  errorOf,
  interruptOf,
  interruptsOf,
  no,
  of,
  resultsOf,
  types,
  yes,
} from './support/wire.ts';

/** A thread that waits at `unlock_door front`. */
async function parked(options: ServedOptions = {}, turn = [unlock('front', 'c1')]) {
  const s = await served([turn, DONE, DONE], options);
  return { s, stopped: await s.run() };
}

async function statuses({ store }: Served): Promise<readonly string[]> {
  return (await store.list({ limit: 1000 })).records.map(({ status }) => status);
}

describe('[B2] A parked approval on the wire', () => {
  it('is an interrupt that shows exactly what would run', async () => {
    const clock = new ManualClock();
    const { s, stopped } = await parked({ timeoutSeconds: 300, build: { clock } });
    const [record] = (await s.store.list()).records;
    expect(interruptsOf(stopped)).toEqual([
      {
        id: record?.id,
        reason: 'tau:approval',
        message: 'unlock_door: Effect of unlock_door',
        toolCallId: 'c1',
        responseSchema: {
          type: 'object',
          properties: {
            approved: { type: 'boolean' },
            reason: { type: 'string', description: expect.any(String) },
            editedArgs: { type: 'object', description: expect.any(String) },
          },
          required: ['approved'],
        },
        expiresAt: new Date(clock.now() + 300_000).toISOString(),
        metadata: {
          tau: {
            tool: 'unlock_door',
            tier: 2,
            effect: 'Effect of unlock_door',
            arguments: { door: 'front' },
            digest: record?.request.digest,
          },
        },
      },
    ]);
  });

  it('can have the core reason, and has no expiry when it has no timeout', async () => {
    const { stopped } = await parked({ config: { approvalReason: 'tool_call' } });
    expect(interruptOf(stopped).reason).toBe('tool_call');
    expect(interruptOf(stopped)).not.toHaveProperty('expiresAt');
  });

  it('comes after the call that it is about, which has no result yet', async () => {
    const { stopped } = await parked();
    expect(types(stopped).filter((type) => type.startsWith('TOOL'))).toEqual([
      'TOOL_CALL_START',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_ARGS',
      'TOOL_CALL_END',
    ]);
  });

  it('shows the defaults that nobody typed, and those run', async () => {
    const { s, stopped } = await parked({}, [call('run_shell', { command: 'ls' })]);
    expect(interruptOf(stopped).metadata).toMatchObject({ tau: { arguments: { command: 'ls', sudo: false } } });
    await s.run({ resume: yes(stopped) });
    expect(s.started()).toEqual(['run_shell {"command":"ls","sudo":false}']);
  });

  it('asks about all tier-2 calls of one message at once, in its order', async () => {
    const { s, stopped } = await parked({}, [
      unlock('front', 'c1'),
      call('read_lock', { door: 'back' }, 'c2'),
      unlock('back', 'c3'),
    ]);
    expect(interruptsOf(stopped).map(({ toolCallId }) => toolCallId)).toEqual(['c1', 'c3']);
    const ended = await s.run({ resume: yes(stopped) });
    expect(endOf(ended)).toBe('success');
    expect(s.started()).toEqual([
      'unlock_door {"door":"front"}',
      'read_lock {"door":"back"}',
      'unlock_door {"door":"back"}',
    ]);
    expect(s.model.calls).toHaveLength(2);
  });
});

describe('[B2, B3] An answer', () => {
  it('of false runs nothing', async () => {
    const { s, stopped } = await parked();
    const ended = await s.run({ resume: no(stopped) });
    expect([endOf(ended), s.started(), await statuses(s)]).toEqual(['success', [], ['rejected']]);
    expect(resultsOf(ended)).toEqual([['c1', refusal('unlock_door')]]);
  });

  it('that is cancelled is a no, and gives one result', async () => {
    const { s, stopped } = await parked();
    const ended = await s.run({ resume: cancel(stopped) });
    expect([endOf(ended), s.started(), await statuses(s)]).toEqual(['success', [], ['rejected']]);
    expect(resultsOf(ended)).toEqual([['c1', refusal('unlock_door')]]);
  });

  it.each([
    ['true', true, 'expected an object.'],
    ['"y"', 'y', 'expected an object.'],
    ['nothing', undefined, 'expected an object.'],
    ['null', null, 'expected an object.'],
    ['a list', [{ approved: true }], 'expected an object.'],
    ['an empty object', {}, 'missing required keys: approved.'],
    ['{approved:"true"}', { approved: 'true' }, "field 'approved' must be a boolean."],
    ['{approved:1}', { approved: 1 }, "field 'approved' must be a boolean."],
    ['{approved:null}', { approved: null }, "field 'approved' must be a boolean."],
    ['an inherited approved', Object.create({ approved: true }), 'expected plain JSON.'],
    ['a reason that is no text', { approved: false, reason: 5 }, "field 'reason' must be a string."],
    [
      'edited arguments that are no object',
      { approved: true, editedArgs: 'x' },
      "field 'editedArgs' must be an object.",
    ],
    ['edited arguments that are a list', { approved: true, editedArgs: [] }, "field 'editedArgs' must be an object."],
    ['edited arguments of null', { approved: true, editedArgs: null }, "field 'editedArgs' must be an object."],
    [
      'edited arguments beside a no',
      { approved: false, editedArgs: { door: 'back' } },
      "field 'editedArgs' goes with approved: true only.",
    ],
    [
      'edited arguments under another name',
      { approved: true, editedArguments: { door: 'back' } },
      'unknown keys: "editedArguments". Known keys: approved, reason, editedArgs.',
    ],
    [
      'edited arguments in snake case, beside a no',
      { approved: false, edited_args: { door: 'back' } },
      'unknown keys: "edited_args". Known keys: approved, reason, editedArgs.',
    ],
    [
      'many unknown and long keys',
      { approved: true, ...Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((letter) => [letter.repeat(70), 1])) },
      `unknown keys: ${['a', 'b', 'c', 'd'].map((letter) => `"${letter.repeat(64)}"`).join(', ')}. Known keys: approved, reason, editedArgs.`,
    ],
    ['a reason of null', { approved: false, reason: null }, "field 'reason' must be a string."],
    ['something that is not JSON', { approved: true, more: 10n }, 'expected plain JSON.'],
  ])('of %s is INVALID_PAYLOAD and decides nothing', async (_what, payload, problem) => {
    const { s, stopped } = await parked();
    const { id } = interruptOf(stopped);
    const refused = await s.run({ resume: answer(stopped, payload) });
    expect(endOf(refused)).toBe('INVALID_PAYLOAD');
    expect(errorOf(refused)).toBe(`Invalid payload for interrupt '${id}': ${problem}`);
    expect([s.started(), await statuses(s), s.model.calls.length]).toEqual([[], ['pending'], 1]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(s.started()).toHaveLength(1);
  });

  it.each(['maybe', '', undefined])('of a status %s is INVALID_PAYLOAD', async (status) => {
    const { s, stopped } = await parked();
    const entries = yes(stopped).map((entry) => ({ ...entry, status })) as never;
    expect(endOf(await s.run({ resume: entries }))).toBe('INVALID_PAYLOAD');
    expect([s.started(), await statuses(s)]).toEqual([[], ['pending']]);
  });

  it('that answers one question twice is INVALID_PAYLOAD, whatever the two say', async () => {
    const { s, stopped } = await parked();
    expect(endOf(await s.run({ resume: [...no(stopped), ...yes(stopped)] }))).toBe('INVALID_PAYLOAD');
    expect([s.started(), await statuses(s)]).toEqual([[], ['pending']]);
  });

  it('is refused whole when one of its entries is: nothing is decided', async () => {
    const { s, stopped } = await parked({}, [unlock('front'), unlock('back')]);
    const [first, second] = yes(stopped);
    for (const bad of [{ approved: 'yes' }, { approved: true, editedArgs: { door: 'cellar' } }]) {
      const resume = [first, { ...second, payload: bad }] as never;
      expect(endOf(await s.run({ resume }))).toBe('INVALID_PAYLOAD');
      expect([s.started(), await statuses(s)]).toEqual([[], ['pending', 'pending']]);
    }
  });

  it('that came too late counts as silence, and the run goes on without the call', async () => {
    const clock = new ManualClock();
    const { s, stopped } = await parked({ timeoutSeconds: 60, build: { clock } });
    await clock.advance(61_000);
    const ended = await s.run({ resume: yes(stopped) });
    expect([endOf(ended), s.started(), await statuses(s)]).toEqual(['success', [], ['timeout']]);
    expect(of(ended, 'CUSTOM').map(({ name, value }) => [name, value])).toEqual([
      ['tau:decided', { interruptId: interruptOf(stopped).id, decision: 'timeout', by: 'tau', at: expect.any(String) }],
    ]);
  });

  it('that lies unused too long lapses, and the call is asked about anew', async () => {
    const clock = new ManualClock();
    const { s, stopped } = await parked({ build: { clock, useWithinSeconds: 10 } });
    const { id } = interruptOf(stopped);
    await s.tau?.gate.decide(id, { decision: 'approved', by: { id: 'anonymous', kind: 'person' }, channel: 'phone' });
    await clock.advance(11_000);
    const again = await s.run({ resume: yes(stopped) });
    expect([endOf(again), s.started()]).toEqual(['interrupt', []]);
    expect(interruptOf(again).id).not.toBe(id);
    expect(endOf(await s.run({ resume: yes(again) }))).toBe('success');
    expect(s.started()).toHaveLength(1);
  });
});

describe('[B2] An approval with edited arguments', () => {
  it('runs exactly what was typed, when that is all there is to say, and the model is told', async () => {
    const { s, stopped } = await parked();
    const ended = await s.run({ resume: answer(stopped, { approved: true, editedArgs: { door: 'back' } }) });
    expect([endOf(ended), s.started(), await statuses(s)]).toEqual([
      'success',
      ['unlock_door {"door":"back"}'],
      ['void', 'done'],
    ]);
    expect(resultsOf(ended)[0]?.[1]).toContain('the call ran with {"door":"back"}');
    expect(JSON.stringify(s.model.calls[1])).toContain('a person changed the arguments');
  });

  it('is asked about again when it says more than was typed, and shows what would run', async () => {
    const { s, stopped } = await parked({}, [call('run_shell', { command: 'ls' }, 'c1')]);
    const again = await s.run({ resume: answer(stopped, { approved: true, editedArgs: { command: 'df' } }) });
    expect([endOf(again), s.started()]).toEqual(['interrupt', []]);
    expect(interruptOf(again)).toMatchObject({
      toolCallId: 'c1',
      metadata: { tau: { arguments: { command: 'df', sudo: false } } },
    });
    expect(endOf(await s.run({ resume: yes(again) }))).toBe('success');
    expect(s.started()).toEqual(['run_shell {"command":"df","sudo":false}']);
  });

  it('is asked about again when the effect depends on the arguments', async () => {
    const home = house();
    const pay = tauTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number() }),
      tier: 2,
      effect: (args) => `Pays ${(args as { readonly amount: number }).amount}`,
      callback: (args) => void home.ran.push({ tool: 'pay', args }),
    });
    const { s, stopped } = await parked({ house: home, tools: [pay] }, [call('pay', { amount: 1 })]);
    const again = await s.run({ resume: answer(stopped, { approved: true, editedArgs: { amount: 1000 } }) });
    expect(interruptOf(again).message).toBe('pay: Pays 1000');
    expect(s.started()).toEqual([]);
  });

  it('that does not fit the tool is INVALID_PAYLOAD; the question stays', async () => {
    const { s, stopped } = await parked();
    const refused = await s.run({ resume: answer(stopped, { approved: true, editedArgs: { door: 'cellar' } }) });
    expect(endOf(refused)).toBe('INVALID_PAYLOAD');
    expect(errorOf(refused)).toContain(interruptOf(stopped).id);
    expect([s.started(), await statuses(s)]).toEqual([[], ['pending']]);
    await s.run({ resume: yes(stopped) });
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });
});
