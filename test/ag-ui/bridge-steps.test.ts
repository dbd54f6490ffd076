import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { Agent, type Tool, tool } from '@strands-agents/sdk';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedApprover, ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { StrandsAgent, type StrandsAgentOptions, type StrandsAgentRunOptions } from '../../src/ag-ui/index.ts';
import { resumeFingerprint } from '../../src/ag-ui/interrupt/fingerprint.ts';
import { call, DONE, unlock } from '../support/strands.ts';
import { ForeignTool } from '../support/strands-parts.ts';
import { eventsIn, minimal, post, SERVERS, serve } from './http-fixture.ts';
import { answered, asked, clientTool, Disk, type ServedOptions, served, user } from './support/served.ts';
import { customs, endOf, interruptOf, interruptsOf, resultsOf, types, yes } from './support/wire.ts';

const REPLAYED = ['RUN_STARTED', 'RUN_FINISHED'];

describe.each(SERVERS)('[C2.7] A bridge that extends another, on %s', (_name, start) => {
  it('is asked by its run(), and hands on what it lets through', async () => {
    class Counting extends StrandsAgent {
      readonly asked: string[] = [];

      override async *run(
        input: RunAgentInput,
        options?: StrandsAgentRunOptions,
      ): AsyncGenerator<BaseEvent, void, undefined> {
        this.asked.push(input.runId);
        for await (const event of super.run(input, options)) if (event.type !== 'STATE_SNAPSHOT') yield event;
      }
    }
    const agent = new Agent({ model: new ScriptedModel([DONE]), printer: false });
    const bridge = new Counting({ agent, name: 'assistant' });
    const sent = eventsIn(await (await post(await start(bridge), { ...minimal, state: { seats: 4 } })).text());
    expect(bridge.asked).toEqual(['r']);
    expect(JSON.stringify(sent)).toContain('"delta":"Do"');
    expect(JSON.stringify(sent)).not.toContain('STATE_SNAPSHOT');
  });
});

describe('[C3.8] The hooks of the bridge', () => {
  /** A tool that brings back the one that the request may not see. */
  const tools = (make: (name: string, body: (agent: unknown) => string) => Tool): readonly Tool[] => {
    const hidden = make('hidden', () => 'hidden ran');
    const sneak = make('sneak', (agent) => {
      (agent as Agent).toolRegistry.addOrReplace([hidden]);
      return 'brought back';
    });
    return [sneak, hidden];
  };
  const common = { description: 'Does it.', inputSchema: z.object({}) };
  const plainTools = () =>
    tools((name, body) => tool({ ...common, name, callback: (_input, context) => body(context?.agent) }));
  const tauTools = () =>
    tools((name, body) => tauTool({ ...common, name, tier: 0, callback: (_input, context) => body(context.agent) }));
  const plain = (model: ScriptedModel) => new Agent({ model, tools: [...plainTools()], printer: false });
  const tau = (model: ScriptedModel) =>
    buildAgent({ model, tools: [...tauTools()], approver: new ScriptedApprover([]) });
  type Source = Pick<StrandsAgentOptions, 'agent' | 'agentsByThread'>;
  const sources: readonly [string, (model: ScriptedModel) => Source | Promise<Source>][] = [
    ['a template', (model) => ({ agent: plain(model) })],
    ['a TauAgent', async (model) => ({ agent: await tau(model) })],
    ['a factory of agents', (model) => ({ agent: () => plain(model) })],
    ['a factory of TauAgents', (model) => ({ agent: () => tau(model) })],
    ['the application’s map', (model) => ({ agent: plain(model), agentsByThread: new Map([['t1', plain(model)]]) })],
  ];

  it.each(sources)('are on the agent of a thread from %s, from its first run on', async (_what, make) => {
    const model = new ScriptedModel([[call('sneak', {}, 'c1')], DONE]);
    const { agent, ...bridge } = await make(model);
    const config = {
      toolBehaviors: { sneak: { interruptOnCall: true } },
      templateToolsProvider: () => ['sneak'],
    };
    const s = await served([], { agent, bridge, config });
    const stopped = await s.run();
    expect(interruptOf(stopped).reason).toBe('tool_call');
    const ended = await s.run({ resume: yes(stopped), context: [{ description: 'now', value: 'noon' }] });
    expect(resultsOf(ended)).toEqual([['c1', 'brought back']]);
    expect(model.offered).toEqual([['sneak'], ['sneak']]);
    expect(JSON.stringify(model.calls[1]?.messages)).toContain('- now: noon');
  });
});

describe('[C4.5, C11.1] A message with media', () => {
  const IMAGE = (url: string) => ({ type: 'image', source: { type: 'url', value: url, mimeType: 'image/png' } });
  const says = (...content: unknown[]) => ({ messages: [{ id: 'm', role: 'user', content }] }) as never;

  it('is told to be cut to its text, and nothing of it is fetched', async () => {
    const fetched: (string | undefined)[] = [];
    const files = await serve(({ url }, response) => {
      fetched.push(url);
      response.end();
    });
    const s = await served([DONE, DONE]);
    const media = [IMAGE(files.url), { type: 'document', source: { type: 'url', value: files.url } }];
    const events = await s.run(says({ type: 'text', text: 'what is this?' }, ...media));
    const reason = 'not supported by this server';
    expect(customs(events, 'MediaDropped')).toEqual([
      {
        dropped: [
          { type: 'image', reason },
          { type: 'document', reason },
        ],
        delivered: 0,
      },
    ]);
    expect(types(events).indexOf('CUSTOM')).toBeLessThan(types(events).indexOf('TEXT_MESSAGE_START'));
    expect([endOf(events), s.model.calls[0]?.messages]).toEqual([
      'success',
      [expect.objectContaining({ content: [{ text: 'what is this?' }] })],
    ]);
    const alone = await s.run(says(...media));
    expect([endOf(alone), customs(alone, 'MediaDropped'), s.model.calls.length]).toEqual([
      'MEDIA_NOT_SUPPORTED',
      [],
      1,
    ]);
    await fetch(`${files.url}after`);
    expect(fetched).toEqual(['/after']);
  });

  it('is told of once, not again by the turns that follow', async () => {
    const s = await served([DONE, DONE]);
    const { messages } = says({ type: 'text', text: 'a' }, IMAGE('http://127.0.0.1:9/')) as Pick<
      RunAgentInput,
      'messages'
    >;
    await s.run({ messages });
    const next = await s.run({ messages: [...messages, { id: 'a', role: 'assistant', content: 'b' }, user('c')] });
    expect([endOf(next), customs(next, 'MediaDropped')]).toEqual(['success', []]);
  });
});

describe('[C14.1] A request for A2UI', () => {
  it('is told that it is not supported, and the run goes on without', async () => {
    for (const injectA2UITool of [true, 'draw']) {
      const s = await served([DONE]);
      const events = await s.run({ forwardedProps: { injectA2UITool }, tools: [clientTool('render_a2ui')] });
      expect(customs(events, 'tau:not_supported')).toEqual([
        { feature: 'a2ui', reason: 'not supported by this server' },
      ]);
      expect([endOf(events), s.model.offered[0]?.includes('render_a2ui')]).toEqual(['success', true]);
    }
    for (const forwardedProps of [{ injectA2UITool: false }, {}, undefined, null, 'injectA2UITool']) {
      const s = await served([DONE]);
      expect(customs(await s.run({ forwardedProps }), 'tau:not_supported')).toEqual([]);
    }
  });

  it('[C2.5] or for a policy of fetching, made in the settings, is warned of at construction', async () => {
    const config = { a2ui: { injectA2UITool: true }, urlFetchPolicy: {} } as never;
    const s = await served([], { config });
    expect(s.log.of('warn')).toEqual(['a2ui, urlFetchPolicy: not supported; the setting does nothing']);
  });
});

describe('[C4.8] The tools of the client', () => {
  it('are those of the request, each time, and never one that takes the name of the server’s', async () => {
    const s = await served([DONE, DONE, DONE], { kind: 'plain', tools: [new ForeignTool('look')] });
    await s.run({ tools: [clientTool('pick'), clientTool('look')] });
    const parameters = { type: 'object', properties: { n: { type: 'number' } } };
    await s.run({ tools: [{ name: 'pick', description: 'Newer.', parameters }, clientTool('draw')] });
    await s.run();
    expect(s.model.offered).toEqual([['look', 'pick'], ['look', 'pick', 'draw'], ['look']]);
    expect(s.model.calls[1]?.toolSpecs[1]).toEqual({ name: 'pick', description: 'Newer.', inputSchema: parameters });
    expect(s.model.calls[0]?.toolSpecs[0]?.description).toBe('A tool without a guard.');
    expect(s.log.of('warn').join()).toContain('shadows client-declared tool "look"');
  });

  it('[C6.9] end the run when they are called, and never wait as an interrupt', async () => {
    for (const kind of ['guarded', 'plain'] as const) {
      const config = { toolBehaviors: { pick: { interruptOnCall: true } } };
      const s = await served([[call('pick', {}, 'p1')], DONE, DONE], { kind, config, disk: new Disk() });
      const tools = [clientTool('pick')];
      const first = await s.run({ messages: [user('choose')], tools });
      expect([endOf(first), interruptsOf(first)]).toEqual(['success', []]);
      const messages = [user('choose'), asked(['p1', 'pick']), answered('p1', 'red')];
      expect(endOf(await s.run({ messages, tools }))).toBe('success');
      expect(JSON.stringify(s.model.calls[1]?.messages)).toContain('red');
      expect(endOf(await s.run({ messages: [user('next')], tools }))).toBe('success');
    }
  });
});

describe('[C4.9] The tools of producers', () => {
  it('are made for each run; one that throws is a warning, and the run goes on', async () => {
    const draws: (() => Tool[])[] = [
      () => [new ForeignTool('draw')],
      () => {
        throw new Error('no canvas');
      },
    ];
    const toolProducers = [{ name: 'panel', produce: () => draws.shift()?.() ?? [] }];
    const s = await served([DONE, DONE, DONE], { kind: 'plain', tools: [], config: { toolProducers } });
    const tools = [clientTool('draw')];
    for (let i = 0; i < 3; i++) expect(endOf(await s.run({ tools }))).toBe('success');
    const made = s.model.calls.map(({ toolSpecs }) => toolSpecs.map(({ description }) => description));
    expect(made).toEqual([['A tool without a guard.'], ['Client draw.'], ['Client draw.']]);
    expect(s.log.of('warn')).toEqual([expect.stringContaining('no canvas')]);
  });
});

describe('[C4.17] A resume that finished', () => {
  const bookkeeping = (disk: Disk): unknown => JSON.parse(disk.text()).data.state.ag_ui_interrupt_bookkeeping;

  it('is remembered by the process and in the session, and clears what was pending', async () => {
    const disk = new Disk();
    const s = await served([[unlock('front')], DONE], { disk });
    const stopped = await s.run();
    const resume = yes(stopped);
    await s.run({ resume });
    expect(bookkeeping(disk)).toEqual({ lastResumeFingerprint: resumeFingerprint(resume), pendingInterrupts: [] });
    const restarted = await served([], { disk, store: s.store });
    for (const again of [s, restarted]) expect(types(await again.run({ resume }))).toEqual(REPLAYED);
    expect([s.model.calls.length, restarted.model.calls.length]).toEqual([2, 0]);
  });

  it('is remembered without a session too', async () => {
    const s = await served([[unlock('front')], DONE]);
    const resume = yes(await s.run());
    await s.run({ resume });
    expect(types(await s.run({ resume }))).toEqual(REPLAYED);
    expect(s.model.calls).toHaveLength(2);
  });

  it('does not count when it failed: nothing is remembered', async () => {
    const disk = new Disk();
    const s = await served([[unlock('front')], new Error('down')], { disk });
    const resume = yes(await s.run());
    expect(endOf(await s.run({ resume }))).toBe('STRANDS_FORCE_STOP');
    expect(bookkeeping(disk)).not.toHaveProperty('lastResumeFingerprint');
  });
});

describe('[C8.11] A stop for interrupts of which there are none', () => {
  const EMPTY = { blocks: [{ text: 'hm' }], stopReason: 'interrupt' } as const;

  it.each(['guarded', 'plain'] as const)(
    'finishes, is noted for debugging, and the thread goes on (%s)',
    async (kind) => {
      const s = await served([EMPTY, DONE], { kind });
      const events = await s.run();
      expect([endOf(events), interruptsOf(events)]).toEqual(['success', []]);
      expect(s.log.of('debug')).toContain('The agent stopped for interrupts and raised none');
      expect(endOf(await s.run())).toBe('success');
    },
  );

  it('is no finished resume: the same answers again are not taken for done', async () => {
    const options: ServedOptions = { kind: 'plain', tools: [new ForeignTool('look')], config: ASK, disk: new Disk() };
    const s = await served([[call('look', {}, 'c1')], EMPTY], options);
    const resume = yes(await s.run());
    expect(endOf(await s.run({ resume }))).toBe('success');
    expect(endOf(await s.run({ resume }))).toBe('UNKNOWN_INTERRUPT_ID');
  });
});

const ASK = { toolBehaviors: { look: { interruptOnCall: true } } };
