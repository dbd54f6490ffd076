import { Agent, type Plugin, type SessionManager } from '@strands-agents/sdk';
import { ConfigError } from 'strands-tau';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { StrandsAgent } from '../../src/ag-ui/index.ts';
import { call, DONE, held, until } from '../support/strands.ts';
import { ForeignTool } from '../support/strands-parts.ts';
import { answered, asked, Disk, LogBook, served, user } from './support/served.ts';
import { endOf, errorOf, recorded, textOf } from './support/wire.ts';

const KINDS = ['guarded', 'plain'] as const;

/** Fails the first time and works afterwards; `calls` counts. */
function onceBroken<T>(error: unknown, then: T): { (): T; calls: number } {
  const provider = (): T => {
    provider.calls += 1;
    if (provider.calls === 1) throw error;
    return then;
  };
  provider.calls = 0;
  return provider;
}

describe.each(KINDS)('The agent of a thread, from a %s agent', (kind) => {
  it('[C3.1, C3.2, C3.10, C4.6] is made once for each thread id and kept; an empty id is "default"', async () => {
    let made = 0;
    const config = { threadAgentConfig: () => ({ name: `n${++made}` }) };
    const s = await served([], { kind, config });
    for (const threadId of ['a', 'b', 'a', '', 'default']) expect(endOf(await s.run({ threadId }))).toBe('success');
    expect(made).toBe(3);
  });

  it('[C3.3] starts with the client’s history when replay is off: without its last user message', async () => {
    const s = await served([DONE], { kind, config: { replayHistoryIntoStrands: false } });
    const past = [
      { id: 's', role: 'system', content: 'be nice' } as const,
      { id: 'a0', role: 'assistant', content: 'welcome' } as const,
      user('look'),
      asked(['c1', 'read_lock'], ['c2', 'read_lock']),
      answered('c1', 'one'),
      answered('c2', 'two'),
      answered('orphan', 'three'),
      { id: 'a1', role: 'assistant', content: 'both seen' } as const,
    ];
    await s.run({ messages: [...past, user('and now?')] });
    const seen = s.model.calls[0]?.messages ?? [];
    expect(seen.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(seen[2]?.content).toHaveLength(2);
    expect(JSON.stringify(seen)).not.toMatch(/be nice|welcome|three/);
    expect(seen.at(-1)?.content).toEqual([{ text: 'and now?' }]);
  });

  it('[C3.4, B7] is made by one request at a time, and no other thread waits for it', async () => {
    const gate = held<void>();
    const made: string[] = [];
    const threadAgentConfig = async ({ threadId }: { readonly threadId: string }) => {
      made.push(threadId);
      if (threadId === 't1') await gate.promise;
      return {};
    };
    const s = await served([DONE, DONE], { kind, config: { threadAgentConfig } });
    const first = s.run();
    await until(() => made.length === 1);
    expect(endOf(await s.run())).toBe('THREAD_BUSY');
    expect(endOf(await s.run({ threadId: 't2' }))).toBe('success');
    gate.settle();
    expect([endOf(await first), made]).toEqual(['success', ['t1', 't2']]);
  });

  it.each([
    [
      'sessionManagerProvider',
      'SESSION_MANAGER_ERROR',
      'Failed to initialize session manager: the provider failed; see the log of the server',
    ],
    [
      'threadAgentConfig',
      'THREAD_AGENT_CONFIG_ERROR',
      'Failed to build per-thread agent config: threadAgentConfig failed; see the log of the server',
    ],
  ])('[C3.5, C3.6] is not kept when %s throws; the next request tries again', async (hook, code, message) => {
    for (const error of [new Error('out of order'), 'out of order']) {
      const provider = onceBroken(error, undefined);
      const s = await served([DONE], { kind, config: { [hook]: provider } });
      const events = await s.run();
      expect([endOf(events), errorOf(events), s.model.calls.length]).toEqual([code, message, 0]);
      expect(endOf(await s.run())).toBe('success');
      expect(provider.calls).toBe(2);
    }
  });

  it.each([
    ['an object', { initAgent: () => undefined }, 'Object'],
    ['another class', new Map(), 'Map'],
    ['a text', 'sessions', 'string'],
    ['an object without prototype', Object.create(null), 'object'],
  ])('[C3.5] is refused with %s for a session manager', async (_what, provided, name) => {
    const s = await served([DONE], { kind, config: { sessionManagerProvider: () => provided as never } });
    const events = await s.run();
    expect([endOf(events), errorOf(events)]).toEqual([
      'SESSION_MANAGER_INVALID_TYPE',
      `sessionManagerProvider returned ${name}; expected a SessionManager instance`,
    ]);
    expect(s.model.calls).toEqual([]);
  });

  it.each([null, undefined])(
    '[C3.5] is kept without persistence, with a warning, when the provider gives %s',
    async (none) => {
      let asked = 0;
      const sessionManagerProvider = () => {
        asked += 1;
        return none;
      };
      const s = await served([DONE, DONE], { kind, config: { sessionManagerProvider } });
      await s.run();
      await s.run();
      expect(asked).toBe(1);
      expect(s.log.of('warn').filter((line) => line.includes('returned null/undefined'))).toHaveLength(1);
    },
  );

  it('[C3.9, B9] is not kept when its session cannot be read, and the client is not told why', async () => {
    const disk = new Disk();
    let broken = true;
    const sessionManagerProvider = () => {
      const session = disk.session('anonymous-t1');
      session.restoreSnapshot = async () => {
        if (broken) throw new Error('EACCES /var/lib/sessions/secret');
        return false;
      };
      return session;
    };
    const s = await served([DONE], { kind, config: { sessionManagerProvider } });
    const events = await s.run();
    expect([endOf(events), errorOf(events)]).toEqual([
      'SESSION_MANAGER_ERROR',
      'Failed to initialize session manager: the session could not be restored',
    ]);
    expect(s.log.of('error').join()).toContain('EACCES');
    broken = false;
    expect(endOf(await s.run())).toBe('success');
  });

  it('[C3.9, B7] comes back whole from its session after it was dropped', async () => {
    const disk = new Disk();
    const s = await served([[{ text: 'one' }], [{ text: 'two' }], [{ text: 'three' }]], {
      kind,
      disk,
      config: { maxThreads: 1 },
    });
    await s.run({ messages: [user('first')] });
    await s.run({ threadId: 'other' });
    await s.run({ messages: [user('second')] });
    expect(s.model.calls[2]?.messages.flatMap(({ content }) => content)).toEqual([
      { text: 'first' },
      { text: 'one' },
      { text: 'second' },
    ]);
  });

  it('[C3.6] gets what threadAgentConfig adds, but not its printer, session or messages', async () => {
    const other = new Disk();
    const extra = {
      systemPrompt: 'You are a pirate.',
      printer: true,
      sessionManager: other.session('x'),
      messages: [{ role: 'user', content: [{ text: 'smuggled' }] }],
    };
    const s = await served([DONE], { kind, config: { threadAgentConfig: () => extra as never } });
    await s.run();
    expect(s.model.calls[0]?.systemPrompt).toBe('You are a pirate.');
    expect(JSON.stringify(s.model.calls[0]?.messages)).not.toContain('smuggled');
    expect(other.files.size).toBe(0);
  });

  it('[C2.2] gets the bridge’s plugins, as they were at construction', async () => {
    const seen: string[] = [];
    const plugin = (name: string): Plugin => ({ name, initAgent: () => void seen.push(name) });
    const plugins = [plugin('one')];
    const s = await served([DONE], { kind, bridge: { plugins } });
    plugins.push(plugin('two'));
    await s.run();
    expect(seen).toEqual(['one']);
  });

  it('[C2.4] reads its settings anew for every run', async () => {
    const s = await served([DONE, DONE], { kind });
    expect((await s.run()).some(({ type }) => type === 'MESSAGES_SNAPSHOT')).toBe(true);
    Object.assign(s.bridge, { config: { logger: s.log, emitMessagesSnapshot: false } });
    expect((await s.run()).some(({ type }) => type === 'MESSAGES_SNAPSHOT')).toBe(false);
  });
});

describe('A template', () => {
  it('[C3.7] hands on its model instance, tools, prompt, names and state; not its history', async () => {
    const model = new ScriptedModel([DONE]);
    const copies: Agent[] = [];
    const spy: Plugin = { name: 'spy', initAgent: (agent) => void copies.push(agent as Agent) };
    const agent = new Agent({
      model,
      tools: [new ForeignTool('look')],
      systemPrompt: 'Be brief.',
      name: 'Helper',
      description: 'Helps.',
      appState: { seats: 4 },
      toolExecutor: 'sequential',
      messages: [{ role: 'user', content: [{ text: 'private' }] }],
      printer: false,
    });
    const s = await served([], { agent, bridge: { plugins: [spy] } });
    await s.run();
    const [copy] = copies;
    expect(copy).not.toBe(agent);
    expect([copy?.model, copy?.name, copy?.description, copy?.id]).toEqual([model, 'Helper', 'Helps.', 'assistant']);
    expect(copy?.toolExecutor.constructor).toBe(agent.toolExecutor.constructor);
    expect(copy?.appState.get('seats')).toBe(4);
    expect(model.calls[0]).toMatchObject({ systemPrompt: 'Be brief.', toolSpecs: [{ name: 'look' }] });
    expect(JSON.stringify(model.calls)).not.toContain('private');
    expect(agent.messages).toHaveLength(1);
  });

  it('[C2.5] with a session manager and no provider gets a warning, and its session is not used', async () => {
    const disk = new Disk();
    const log = new LogBook();
    const agent = new Agent({ model: new ScriptedModel([DONE]), sessionManager: disk.session('one'), printer: false });
    const bridge = new StrandsAgent({ agent, name: 'assistant', config: { logger: log } });
    const s = await served([]);
    expect(endOf(await recorded(bridge.run(s.input())))).toBe('success');
    expect(disk.files.size).toBe(0);
    expect(log.of('warn').join()).toContain('sessionManager');
  });
});

describe('A factory', () => {
  it('[C3.1] is asked once for each thread, with who asks', async () => {
    const seen: unknown[] = [];
    const make = (thread: unknown, { principal }: { readonly principal: unknown }) => {
      seen.push([thread, principal]);
      return new Agent({ model: new ScriptedModel([DONE, DONE]), printer: false });
    };
    const s = await served([], { agent: make });
    await s.run();
    await s.run();
    await s.run({}, { principal: { id: 'ann', kind: 'person' } });
    expect(seen).toEqual([
      [{ threadId: 't1' }, { id: 'anonymous', kind: 'person' }],
      [{ threadId: 't1' }, { id: 'ann', kind: 'person' }],
    ]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no licence');
      },
      'the factory failed; see the log of the server',
    ],
    ['rejects', () => Promise.reject(new Error('no licence')), 'the factory failed; see the log of the server'],
    ['makes nothing', () => undefined, 'the factory made neither an Agent nor a TauAgent'],
    ['makes something else', () => ({ agent: {} }), 'the factory made neither an Agent nor a TauAgent'],
  ])('[C3.6] that %s ends the run with a code', async (_what, make, text) => {
    const s = await served([], { agent: make as never });
    const events = await s.run();
    expect([endOf(events), errorOf(events)]).toEqual([
      'THREAD_AGENT_CONFIG_ERROR',
      `Failed to build per-thread agent config: ${text}`,
    ]);
  });

  it('[C3.5] keeps its own session; the bridge’s provider is not asked, and a warning says so', async () => {
    const disk = new Disk();
    const make = (turn: string) => () =>
      new Agent({ model: new ScriptedModel([[{ text: turn }]]), sessionManager: disk.session('own'), printer: false });
    const sessionManagerProvider = (): SessionManager => {
      throw new Error('asked');
    };
    const first = await served([], { agent: make('one'), config: { sessionManagerProvider } });
    expect(textOf(await first.run({ messages: [user('hi')] }))).toBe('one');
    expect(first.log.of('warn').join()).toContain('sessionManagerProvider: not used with a factory');
    expect(disk.text('own')).toContain('"one"');
    const second = await served([], { agent: make('two') });
    expect(textOf(await second.run({ messages: [user('again')] }))).toBe('two');
    expect(disk.text('own')).toContain('"hi"');
  });
});

describe('[C2.1] What a bridge serves', () => {
  it('is told apart by what it is; anything else is refused at construction', async () => {
    for (const agent of [null, 5, {}, { model: {}, stream: () => undefined }, 'agent']) {
      expect(() => new StrandsAgent({ agent: agent as never, name: 'x' })).toThrow(ConfigError);
    }
    for (const agent of [
      { stream: () => undefined },
      { stream: () => undefined, model: undefined },
      { stream: () => undefined, model: null },
    ]) {
      const s = await served([[call('x', {})]], { agent: agent as never });
      expect(endOf(await s.run())).toBe('ORCHESTRATOR_NOT_SUPPORTED');
    }
  });
});
