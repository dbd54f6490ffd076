import { HttpAgent } from '@ag-ui/client';
import type { Interrupt, ResumeEntry } from '@ag-ui/core';
import { BeforeToolCallEvent, type Plugin } from '@strands-agents/sdk';
import type { Policy, Principal } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { ManualClock } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { createStrandsApp } from '../../src/ag-ui/http/index.ts';
import type { TauInterruptMetadata, TauPending } from '../../src/ag-ui/index.ts';
import { call, DONE, house, unlock } from '../support/strands.ts';
import { ForeignTool } from '../support/strands-parts.ts';
import { serve } from './http-fixture.ts';
import { ANN, BOB, Disk, type Served, type ServedOptions, served } from './support/served.ts';
import { customs, endOf, interruptOf, interruptsOf, types, yes } from './support/wire.ts';

const ANYBODY: Principal = { id: 'anonymous', kind: 'person' };
const REFUSED = ['RUN_STARTED', 'CUSTOM', 'RUN_ERROR'];

/** What a plain turn was told is open. */
function told(events: Parameters<typeof customs>[0]): readonly Interrupt[] {
  return (customs(events, 'tau:pending') as readonly TauPending[]).flatMap(({ interrupts }) => interrupts);
}

/** How the questions stand that a plain turn was told of. */
function standing(events: Parameters<typeof customs>[0]): readonly unknown[] {
  return told(events).map(({ metadata }) => {
    const tau = metadata?.tau as TauInterruptMetadata | undefined;
    return { status: tau?.status, mayDecide: tau?.mayDecide };
  });
}

function approve(interrupts: readonly Interrupt[]): ResumeEntry[] {
  return interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }));
}

/** Sends a plain turn and answers what it is told with a yes. */
async function askAndAnswer(s: Served): Promise<string> {
  const refused = await s.run();
  expect([types(refused), endOf(refused)]).toEqual([REFUSED, 'PENDING_INTERRUPTS']);
  return endOf(await s.run({ resume: approve(told(refused)) }));
}

describe('[C4.2, B3] A plain turn on a thread that waits', () => {
  it.each(['tau:approval', 'tool_call'] as const)('is told again what it was asked, as %s', async (approvalReason) => {
    const options: ServedOptions = { config: { approvalReason }, timeoutSeconds: 60 };
    const s = await served([[unlock('front', 'c1'), unlock('back', 'c2')], DONE], options);
    const stopped = await s.run();
    const refused = await s.run();
    expect(types(refused)).toEqual(REFUSED);
    expect(told(refused)).toEqual(interruptsOf(stopped));
    expect(told(refused).map(({ reason, metadata }) => [reason, metadata])).toEqual([
      [approvalReason, { tau: expect.objectContaining({ arguments: { door: 'front' } }) }],
      [approvalReason, { tau: expect.objectContaining({ arguments: { door: 'back' } }) }],
    ]);
    expect([s.model.calls.length, s.started()]).toEqual([1, []]);
    expect(endOf(await s.run({ resume: approve(told(refused)) }))).toBe('success');
    expect(s.started()).toHaveLength(2);
  });

  it('is told the developer’s own interrupts in the shape that they had', async () => {
    const look = new ForeignTool('look');
    const hook: Plugin = {
      name: 'asker',
      initAgent: (agent) => {
        agent.addHook(BeforeToolCallEvent, (event) => {
          if (event.toolUse.toolUseId === 'c1') event.interrupt({ name: 'look?', reason: { why: 'dark' } });
        });
      },
    };
    const config = { toolBehaviors: { find: { interruptOnCall: true } } };
    const s = await served([[call('look', { n: 1 }, 'c1'), call('find', { n: 2 }, 'c2')], DONE], {
      kind: 'plain',
      tools: [look, new ForeignTool('find')],
      bridge: { plugins: [hook] },
      config,
    });
    const stopped = await s.run();
    const refused = await s.run();
    expect(told(refused).map(({ reason }) => reason)).toEqual(['look?', 'tool_call']);
    expect(told(refused)).toEqual(interruptsOf(stopped));
    expect(await askAndAnswer(s)).toBe('success');
    expect(look.inputs).toEqual([{ n: 1 }]);
  });

  it('is told what the record says, also after a restart whose session says otherwise', async () => {
    const disk = new Disk();
    const store = new MemoryApprovalStore();
    const home = house();
    const stopped = await (await served([[unlock('front', 'c1')]], { disk, store, house: home })).run();
    disk.files.set('anonymous-t1', disk.text().replaceAll('"front"', '"garden"'));
    const s = await served([DONE], { disk, store, house: home });
    expect(told(await s.run())).toEqual(interruptsOf(stopped));
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('is told the question that took the place of the one that was shown', async () => {
    const s = await served([[call('run_shell', { command: 'ls', sudo: true }, 'c1')], DONE]);
    const stopped = await s.run();
    await s.tau?.gate.edit(interruptOf(stopped).id, { arguments: { command: 'pwd' }, by: ANYBODY, channel: 'phone' });
    const [asked] = told(await s.run());
    expect(asked?.id).not.toBe(interruptOf(stopped).id);
    expect(asked?.metadata).toMatchObject({ tau: { arguments: { command: 'pwd', sudo: false } } });
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toEqual(['run_shell {"command":"pwd","sudo":false}']);
  });

  it('can wake a run whose question was edited elsewhere', async () => {
    const s = await served([[unlock('front')], DONE]);
    const stopped = await s.run();
    await s.tau?.gate.edit(interruptOf(stopped).id, { arguments: { door: 'back' }, by: ANYBODY, channel: 'phone' });
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"back"}']);
  });

  it('can wake a run whose question was decided elsewhere', async () => {
    const s = await served([[unlock('front')], DONE]);
    const stopped = await s.run();
    await s.tau?.gate.decide(interruptOf(stopped).id, { decision: 'approved', by: ANYBODY, channel: 'phone' });
    const refused = await s.run();
    expect(told(refused).map(({ id }) => id)).toEqual([interruptOf(stopped).id]);
    expect(standing(refused)).toEqual([{ status: 'approved', mayDecide: false }]);
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toHaveLength(1);
  });

  it('is told which questions are over, and only of those that it has to address', async () => {
    const s = await served([
      [unlock('front'), unlock('back'), call('run_shell', { command: 'ls', sudo: false })],
      DONE,
    ]);
    const [front, back, shell] = interruptsOf(await s.run());
    const gate = s.tau?.gate;
    await gate?.decide(front?.id ?? '', { decision: 'rejected', by: ANYBODY, channel: 'phone' });
    const partly = await s.run();
    expect(told(partly)).toEqual([back, shell]);
    await gate?.cancel(back?.id ?? '', { by: ANYBODY, channel: 'phone' });
    await gate?.decide(shell?.id ?? '', { decision: 'approved', by: ANYBODY, channel: 'phone' });
    const over = { mayDecide: false };
    expect(standing(await s.run())).toEqual([
      { status: 'rejected', ...over },
      { status: 'cancelled', ...over },
      { status: 'approved', ...over },
    ]);
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toEqual(['run_shell {"command":"ls","sudo":false}']);
  });

  it('is told that the time of a question has passed, also when nobody has noted it', async () => {
    const clock = new ManualClock();
    const s = await served([[unlock('front')], DONE], { timeoutSeconds: 60, build: { clock } });
    const stopped = await s.run();
    await clock.advance(61_000);
    const refused = await s.run();
    expect(told(refused).map(({ id }) => id)).toEqual([interruptOf(stopped).id]);
    expect(standing(refused)).toEqual([{ status: 'timeout', mayDecide: false }]);
    expect(await askAndAnswer(s)).toBe('success');
    expect(s.started()).toEqual([]);
  });

  it('of somebody else is told nothing: their thread of the same id is another one', async () => {
    const policy: Policy = { version: '1', sees: () => true, mayDecide: () => true };
    const s = await served([[unlock('front')], DONE, DONE], { build: { policy } });
    const stopped = await s.run({}, { principal: ANN });
    const other = await s.run({}, { principal: BOB });
    expect([endOf(other), told(other)]).toEqual(['success', []]);
    expect(JSON.stringify(other)).not.toContain(interruptOf(stopped).id);
    expect(told(await s.run({}, { principal: ANN }))).toEqual(interruptsOf(stopped));
  });

  it('is told over the wire, to the protocol’s own client, which can then go on', async () => {
    const s = await served([[unlock('front')], DONE]);
    const { url } = await serve(await createStrandsApp(s.bridge, { logger: s.log }));
    const first = new HttpAgent({ url, threadId: 't1' });
    first.addMessage({ id: 'm1', role: 'user', content: 'open the door' });
    await first.runAgent();
    const found: Interrupt[] = [];
    const codes: (string | undefined)[] = [];
    const second = new HttpAgent({ url, threadId: 't1' });
    second.addMessage({ id: 'm2', role: 'user', content: 'are you there?' });
    await second
      .runAgent(
        {},
        {
          onCustomEvent: ({ event }) => {
            if (event.name === 'tau:pending') found.push(...event.value.interrupts);
          },
          onRunErrorEvent: ({ event }) => {
            codes.push(event.code);
          },
        },
      )
      .catch(() => undefined);
    expect([codes, found.length]).toEqual([['PENDING_INTERRUPTS'], 1]);
    await second.runAgent({ resume: approve(found) });
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });
});

it('[C4.2] A complete resume needs no list: a refused one that leaves some out is told which', async () => {
  const s = await served([[unlock('front'), unlock('back')], DONE]);
  const stopped = await s.run();
  const partial = await s.run({ resume: yes(stopped).slice(0, 1) });
  expect([types(partial), endOf(partial)]).toEqual([['RUN_STARTED', 'RUN_ERROR'], 'PARTIAL_RESUME']);
});
