import { AfterToolsEvent, Agent, type Tool } from '@strands-agents/sdk';
import { describe, expect, it, vi } from 'vitest';
import { StrandsAgent, type StrandsAgentConfig, type TemplateToolsProvider } from '../../src/ag-ui/index.ts';
import { call, clientTool, lineLog, plainTool, runInput } from './tool-filter-fixture.ts';
import { failureOf, filterWorld, interruptsOf, KINDS, types, yesTo } from './tool-filter-world.ts';

const DONE = [{ text: 'done' }];
const BOTH = ['delete', 'read'];
const CODE = 'TEMPLATE_TOOLS_PROVIDER_ERROR';

const throwing: TemplateToolsProvider = () => {
  throw new Error('no such role');
};

const broken = function* (): Generator<string> {
  yield 'read';
  throw new Error('the directory went away');
};

const BAD_ANSWERS: readonly (readonly [what: string, answer: () => unknown, text: RegExp])[] = [
  ['a bare name', () => 'delete', /one character at a time/],
  ['an empty string', () => '', /one character at a time/],
  ['a Map', () => new Map([['delete', false]]), /values went unread/],
  ['a plain object', () => ({ delete: false }), /not a container/],
  ['a number', () => 42, /not a container/],
  ['zero', () => 0, /not a container/],
  ['true', () => true, /not a container/],
  ['false', () => false, /not a container/],
  ['a function', () => () => ['read'], /not a container/],
  [
    'an async generator',
    () =>
      (async function* () {
        yield 'read';
      })(),
    /not a container/,
  ],
  ['a generator that throws midway', () => broken(), /the directory went away$/],
  ['a rejection', () => Promise.reject(new Error('the database is down')), /the database is down$/],
];

describe.each(KINDS)('A filter over a %s template that fails', (kind) => {
  it.each(BAD_ANSWERS)(
    '[T18, T19, T20, T21, T22, T24, T25, T26, T31] ends the run before the model is called: %s',
    async (_what, answer, text) => {
      const provider = vi.fn<TemplateToolsProvider>().mockReturnValueOnce(['read']);
      const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
      await w.run();
      provider.mockImplementation(answer as TemplateToolsProvider);
      const events = await w.run();
      expect(types(events)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
      expect(failureOf(events)).toEqual({ code: CODE, message: expect.stringMatching(text) });
      expect(failureOf(events)?.message).toMatch(/^Failed to resolve the template tools for this request: /);
      expect(w.model.calls).toHaveLength(1);
      expect(w.registered()).toEqual(['read']);
    },
  );

  it('[T27, T28, T29] tells the client its own text, logs an error, and leaves the thread as it was', async () => {
    const provider = vi.fn(throwing);
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
    const events = await w.run();
    const { runId: _runId, ...first } = { runId: 'r1', ...events[0] };
    expect(first).toMatchObject({ type: 'RUN_STARTED', threadId: 't1' });
    expect(types(events)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(failureOf(events)).toEqual({
      code: CODE,
      message: 'Failed to resolve the template tools for this request: no such role',
    });
    expect(w.log.of('error')).toHaveLength(1);
    expect(w.registered()).toEqual(BOTH);
    const agent = w.agents.get('t1');
    expect(agent).toBeDefined();

    provider.mockImplementation(() => ['read']);
    expect(types(await w.run()).at(-1)).toBe('RUN_FINISHED');
    expect(w.agents.get('t1')).toBe(agent);
    expect(w.offered()).toEqual([['read']]);
  });

  it('[T30, T31] is told apart from a registry that fails, which ends the run too', async () => {
    const provider = vi.fn<TemplateToolsProvider>().mockReturnValueOnce([]).mockReturnValue(null);
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider } });
    await w.run();
    const add = vi.spyOn(w.agents.get('t1')?.toolRegistry ?? expect.fail(), 'add').mockImplementation(() => {
      throw new TypeError('the registry broke');
    });
    const events = await w.run();
    expect(types(events)).toEqual(['RUN_STARTED', 'RUN_ERROR']);
    expect(['ADAPTER_BUG', 'STRANDS_ERROR']).toContain(failureOf(events)?.code);
    expect(w.model.calls).toHaveLength(1);
    add.mockRestore();
    expect(types(await w.run()).at(-1)).toBe('RUN_FINISHED');
    expect(w.offered()).toEqual([[], BOTH]);
  });
});

describe.each(KINDS)('A provider of a %s template', (kind) => {
  it('[T32] is not asked about a plain turn on a thread that waits', async () => {
    const provider = vi.fn<TemplateToolsProvider>(() => null);
    const w = await filterWorld({
      kind,
      asks: true,
      turns: [[call('delete')], DONE],
      config: { templateToolsProvider: provider },
    });
    const stopped = await w.run();
    expect(interruptsOf(stopped)).toHaveLength(1);
    provider.mockClear();

    expect(failureOf(await w.run())?.code).toBe('PENDING_INTERRUPTS');
    expect(provider).not.toHaveBeenCalled();
    expect(w.registered()).toEqual(BOTH);

    const resumed = await w.run({ resume: yesTo(stopped) });
    expect(types(resumed).at(-1)).toBe('RUN_FINISHED');
    expect(w.ran).toEqual(['delete']);
    expect(provider).toHaveBeenCalledOnce();
  });

  it('[T33] is not asked about a resume that is refused or was finished before', async () => {
    const provider = vi.fn<TemplateToolsProvider>(() => null);
    const turns = [[call('delete'), call('delete')], DONE];
    const w = await filterWorld({ kind, asks: true, turns, config: { templateToolsProvider: provider } });
    expect(failureOf(await w.run({ resume: [{ interruptId: 'x', status: 'resolved' }] }))?.code).toBe(
      'UNKNOWN_INTERRUPT_ID',
    );
    expect(provider).not.toHaveBeenCalled();
    const stopped = await w.run();
    provider.mockClear();

    const [first] = yesTo(stopped);
    if (first === undefined) expect.fail('nothing waits');
    expect(failureOf(await w.run({ resume: [{ ...first, interruptId: 'x' }] }))?.code).toBe('UNKNOWN_INTERRUPT_ID');
    if (interruptsOf(stopped).length > 1) {
      expect(failureOf(await w.run({ resume: [first] }))?.code).toBe('PARTIAL_RESUME');
    }
    if (kind === 'guarded') {
      const wrong = yesTo(stopped).map((entry) => ({ ...entry, payload: { approved: 'yes' } }));
      expect(failureOf(await w.run({ resume: wrong }))?.code).toBe('INVALID_PAYLOAD');
    }
    expect(provider).not.toHaveBeenCalled();

    await w.run({ resume: yesTo(stopped) });
    expect(provider).toHaveBeenCalledOnce();
    expect(types(await w.run({ resume: yesTo(stopped) }))).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
    expect(provider).toHaveBeenCalledOnce();
  });

  it('[T33] is not asked while the thread is busy', async () => {
    const provider = vi.fn<TemplateToolsProvider>(() => null);
    const gate = Promise.withResolvers<void>();
    const w = await filterWorld({
      kind,
      turns: [() => gate.promise.then(() => DONE)],
      config: { templateToolsProvider: provider },
    });
    const first = w.run();
    await vi.waitFor(() => expect(w.model.calls).toHaveLength(1));
    expect(failureOf(await w.run())?.code).toBe('THREAD_BUSY');
    gate.resolve();
    await first;
    expect(provider).toHaveBeenCalledOnce();
  });

  it('[T33] is not asked when the thread’s agent cannot be built', async () => {
    const provider = vi.fn<TemplateToolsProvider>(() => null);
    const threadAgentConfig = (): never => {
      throw new Error('no config');
    };
    const w = await filterWorld({ kind, config: { templateToolsProvider: provider, threadAgentConfig } });
    expect(failureOf(await w.run())?.code).toBe('THREAD_AGENT_CONFIG_ERROR');
    expect(provider).not.toHaveBeenCalled();
  });
});

describe('Without a provider', () => {
  it('[T35] two runs leave the same instances in place', async () => {
    const w = await filterWorld();
    await w.run();
    const agent = w.agents.get('t1') ?? expect.fail();
    const before = agent.toolRegistry.list();
    const changes = (['add', 'addOrReplace', 'remove'] as const).map((name) => vi.spyOn(agent.toolRegistry, name));
    await w.run();
    expect(agent.toolRegistry.list().every((tool, index) => tool === before[index])).toBe(true);
    expect(changes.flatMap((spy) => spy.mock.calls)).toEqual([]);
  });

  it('[T35] nothing is hooked for a filter; with one, the hooks are added once', async () => {
    const hooksOf = async (config: StrandsAgentConfig): Promise<number> => {
      const addHook = vi.spyOn(Agent.prototype, 'addHook');
      const w = await filterWorld({ config });
      await w.run();
      await w.run();
      const { length } = addHook.mock.calls.filter(([event]) => event === AfterToolsEvent);
      addHook.mockRestore();
      return length;
    };
    const without = await hooksOf({});
    expect(await hooksOf({ templateToolsProvider: () => null })).toBe(without + 1);
  });
});

describe('[T34] An orchestrator', () => {
  it('has no template to filter: the provider is never asked', async () => {
    const provider = vi.fn<TemplateToolsProvider>(() => []);
    const orchestrator = { id: 'graph', async *stream(): AsyncGenerator<never, void> {} };
    const config = { templateToolsProvider: provider, logger: lineLog() };
    const bridge = new StrandsAgent({ agent: orchestrator, name: 'graph', config });
    for await (const _event of bridge.run(runInput()));
    expect(provider).not.toHaveBeenCalled();
  });
});

describe('[T36, C4.6, C4.7, C4.8, C4.9] The order of a run', () => {
  it('is: started, the agent, the filter, the client’s tools, the producers, and only then the model', async () => {
    const order: string[] = [];
    const seen: Record<string, readonly string[]> = {};
    const noted = <T>(what: string, value: T): T => {
      order.push(what);
      return value;
    };
    const w = await filterWorld({
      turns: [() => noted('model', DONE)],
      config: {
        threadAgentConfig: () => noted('agent', null),
        templateToolsProvider: () => {
          order.push('filter');
          seen.filter = w.registered();
          return ['read'];
        },
        toolProducers: [
          {
            name: 'panel',
            produce: (): Tool[] => {
              order.push('producer');
              seen.producer = w.registered();
              return [plainTool('render')];
            },
          },
        ],
      },
    });
    const stream = w.bridge.run(
      runInput({ tools: [clientTool('pick')], messages: [{ id: 'm', role: 'user', content: 'hi' }] }),
    );
    expect((await stream.next()).value?.type).toBe('RUN_STARTED');
    expect(order).toEqual([]);
    for await (const _event of stream);
    expect(order).toEqual(['agent', 'filter', 'producer', 'model']);
    expect(seen).toEqual({ filter: BOTH, producer: ['pick', 'read'] });
    expect(w.offered()).toEqual([['pick', 'read', 'render']]);
  });
});
