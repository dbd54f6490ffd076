import {
  AfterToolCallEvent,
  Agent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  ExecuteToolStage,
  InterventionActions,
  InterventionHandler,
  MessageAddedEvent,
  type Plugin,
} from '@strands-agents/sdk';
import { ConfigError, ParkingApprover } from 'strands-tau';
import { buildAgent, guardTool, type TauAgent } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { StrandsAgent } from '../../src/ag-ui/index.ts';
import { call, DONE, house, unlock } from '../support/strands.ts';
import { refusal } from '../support/strands-checks.ts';
import { ForeignTool } from '../support/strands-parts.ts';
import { clientTool, LogBook, served, type Turns, user } from './support/served.ts';
import { endOf, errorOf, interruptOf, no, resultsOf, textOf, yes } from './support/wire.ts';

/** Denies every call of one tool. */
class Deny extends InterventionHandler {
  readonly name: string = 'deny';
  override beforeToolCall(event: BeforeToolCallEvent) {
    return event.toolUse.name === 'steal' ? InterventionActions.deny('no stealing') : InterventionActions.proceed();
  }
}

/** Watches the model only; it registers no hook on tool calls. */
class Watch extends InterventionHandler {
  readonly name: string = 'watch';
  override afterModelCall() {
    return InterventionActions.proceed();
  }
}

function template(turns: Turns, steal: ForeignTool, over: ConstructorParameters<typeof Agent>[0] = {}): Agent {
  return new Agent({ model: new ScriptedModel(turns), tools: [steal], printer: false, ...over });
}

function tauAgent(turns: Turns, tools = house().tools): Promise<TauAgent> {
  const model = new ScriptedModel(turns);
  return buildAgent({ model, tools, approver: new ParkingApprover(), logger: new LogBook() });
}

describe('A guarded agent behind the bridge', () => {
  it('[B1] stays guarded: a tier-2 tool does not run without a decision', async () => {
    const s = await served([[unlock('front'), call('read_lock', { door: 'back' })], DONE]);
    const stopped = await s.run();
    expect(endOf(stopped)).toBe('interrupt');
    expect(s.started()).toEqual([]);
    const ended = await s.run({ resume: yes(stopped) });
    expect(endOf(ended)).toBe('success');
    expect(textOf(ended)).toBe('Done.');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}', 'read_lock {"door":"back"}']);
  });

  it('[B1, B2] runs nothing that was refused, and the model reads why', async () => {
    const s = await served([[unlock('front', 'call-1')], DONE]);
    const stopped = await s.run();
    expect(interruptOf(stopped).toolCallId).toBe('call-1');
    const ended = await s.run({ resume: no(stopped, 'not at night') });
    const [[id, text] = []] = resultsOf(ended);
    expect(id).toBe('call-1');
    expect(text).toContain(refusal('unlock_door'));
    expect(text).toContain('not at night');
    expect(s.started()).toEqual([]);
    expect(JSON.stringify(s.model.calls[1])).toContain('not at night');
  });

  it('[B1] stays guarded when a factory makes it', async () => {
    const home = house();
    const s = await served([], { house: home, agent: () => tauAgent([[unlock('front')], DONE], home.tools) });
    const stopped = await s.run();
    expect(endOf(stopped)).toBe('interrupt');
    expect(s.started()).toEqual([]);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });

  it('[B1] refuses an unguarded agent of the application in its place', async () => {
    const steal = new ForeignTool('steal');
    const stranger = await tauAgent([[unlock('front')]]);
    for (const agent of [
      template([[call('steal', {})]], steal),
      new Agent({ model: new ScriptedModel([]) }),
      stranger,
      stranger.agent,
    ]) {
      const s = await served([[unlock('front')]], { bridge: { agentsByThread: new Map([['t1', agent]]) } });
      const events = await s.run();
      expect(endOf(events)).toBe('STRANDS_ERROR');
      expect(s.log.of('error').join()).toContain('agentsByThread for thread "t1" is not guarded');
    }
    expect(steal.inputs).toEqual([]);
  });

  it('[B1, C2.3] takes a guarded agent of the same gate from the application, and gives it back as it was', async () => {
    const home = house();
    const s = await served([[unlock('front')], DONE], { house: home });
    const own = await buildAgent({
      model: s.model,
      tools: home.tools,
      ...(s.tau === undefined ? {} : { gate: s.tau.gate }),
    });
    const agents = new Map<string, Agent | TauAgent>([['t1', own]]);
    const other = new StrandsAgent({
      agent: s.tau ?? own,
      name: 'assistant',
      agentsByThread: agents,
      config: { logger: s.log },
    });
    const stopped: unknown[] = [];
    for await (const event of other.run(s.input())) stopped.push(event);
    expect(endOf(stopped as never)).toBe('interrupt');
    expect(s.started()).toEqual([]);
    expect(agents.get('t1')).toBe(own);
  });

  it('[B1, C2.3] keeps the agents that it makes guarded in the map of the application, also when it forgets them itself', async () => {
    const agents = new Map<string, Agent | TauAgent>();
    const turns = [DONE, DONE, [unlock('front')]];
    const s = await served(turns, { bridge: { agentsByThread: agents }, config: { maxThreads: 1 } });
    await s.run();
    await s.run({ threadId: 't2' });
    const kept = agents.get('t1');
    const stopped = await s.run();
    expect(endOf(stopped)).toBe('interrupt');
    expect(s.started()).toEqual([]);
    expect(agents.get('t1')).toBe(kept);
    expect([...agents.keys()]).toEqual(['t1', 't2']);
  });

  it.each([
    ['tools', { tools: [new ForeignTool('steal')] }],
    ['toolExecutor', { toolExecutor: 'concurrent' }],
    ['interventions', { interventions: [] }],
    ['hooks', { hooks: [] }],
    ['guard', { guard: { steal: { tier: 0 } } }],
    ['gate', { gate: {} }],
    ['approver', { approver: {} }],
    ['backgroundTasks', { backgroundTasks: true }],
    ['sandbox', { sandbox: {} }],
    ['conversation', { conversation: 'other' }],
  ])('[B1, C3.6] lets threadAgentConfig set no %s', async (name, extra) => {
    const s = await served([DONE], { config: { threadAgentConfig: () => extra as object } });
    const events = await s.run();
    expect(endOf(events)).toBe('THREAD_AGENT_CONFIG_ERROR');
    expect(errorOf(events)).toContain(`${name} cannot be set for a guarded agent`);
    expect(s.model.calls).toEqual([]);
  });

  it('[B1] refuses tools that plugins of a thread bring along', async () => {
    const steal = new ForeignTool('steal');
    const plugin: Plugin = { name: 'smuggler', initAgent: () => undefined, getTools: () => [steal] };
    const turns = [[call('steal', {}, 'c1')], DONE];
    for (const options of [
      { config: { threadAgentConfig: () => ({ plugins: [plugin] }) } },
      { bridge: { plugins: [plugin] } },
    ]) {
      const s = await served(turns, options);
      const events = await s.run();
      expect(endOf(events)).toBe('success');
      expect(resultsOf(events)).toEqual([['c1', "Tool 'steal' is not registered; it was not run."]]);
      expect(s.model.offered.flat()).not.toContain('steal');
    }
    expect(steal.inputs).toEqual([]);
  });

  it('[B1] asks for what an agent used as a tool wants to do, and wakes it with the answer', async () => {
    const home = house();
    const inner = new ScriptedModel([[unlock('back', 'inner-1')], [{ text: 'opened' }]]);
    const worker = new Agent({
      model: inner,
      tools: home.tools,
      name: 'worker',
      description: 'Works.',
      printer: false,
    });
    const tools = [guardTool(worker.asTool(), { tier: 0 })];
    const s = await served([[call('worker', { input: 'open' })], DONE], { house: home, tools });
    const stopped = await s.run();
    expect(interruptOf(stopped).metadata).toMatchObject({ tau: { tool: 'unlock_door', arguments: { door: 'back' } } });
    expect(s.started()).toEqual([]);
    const ended = await s.run({ resume: yes(stopped) });
    expect(endOf(ended)).toBe('success');
    expect(s.started()).toEqual(['unlock_door {"door":"back"}']);
    expect(resultsOf(ended).map(([, text]) => text)).toEqual(['opened']);
  });

  it('[C6.1] leaves out a client tool with the name of a tool that only an agent used as a tool has', async () => {
    const home = house();
    const worker = new Agent({ model: new ScriptedModel([]), tools: home.tools, name: 'worker', printer: false });
    const s = await served([[unlock('front', 'c1')], DONE], {
      house: home,
      tools: [guardTool(worker.asTool({ description: 'Works.' }), { tier: 0 })],
    });
    const events = await s.run({ tools: [clientTool('unlock_door')] });
    expect(s.model.offered).toEqual([['worker'], ['worker']]);
    expect(resultsOf(events)).toEqual([['c1', "Tool 'unlock_door' is not registered; it was not run."]]);
  });

  it('[B1] gives each thread an agent of its own: neither words nor questions are shared', async () => {
    const s = await served([[{ text: 'one' }], [unlock('front')], [{ text: 'two' }], DONE], {
      config: { replayHistoryIntoStrands: false },
    });
    await s.run({ threadId: 'a', messages: [user('secret of a')] });
    const stopped = await s.run({ threadId: 'a' });
    await s.run({ threadId: 'b', messages: [user('hello of b')] });
    expect(JSON.stringify(s.model.calls[2])).not.toContain('secret of a');
    expect(s.model.calls[2]?.messages).toHaveLength(1);
    expect(endOf(await s.run({ threadId: 'b', resume: yes(stopped) }))).toBe('UNKNOWN_INTERRUPT_ID');
    expect(s.started()).toEqual([]);
    await s.run({ threadId: 'a', resume: yes(stopped) });
    expect(s.started()).toEqual(['unlock_door {"door":"front"}']);
  });
});

describe('A plain template', () => {
  it('[B1, C3.7] keeps its interventions in every thread', async () => {
    const steal = new ForeignTool('steal');
    const agent = template([[call('steal', {}, 'c1')], DONE], steal, { interventions: [new Deny()] });
    const s = await served([], { agent, config: { threadAgentConfig: () => ({ interventions: [new Watch()] }) } });
    expect(resultsOf(await s.run())[0]?.[1]).toContain('DENIED: no stealing');
    expect(steal.inputs).toEqual([]);
  });

  it('[B1] keeps its plugins, also when a thread adds its own', async () => {
    const seen: string[] = [];
    const plugin = (name: string): Plugin => ({
      name,
      initAgent: (agent) => {
        agent.addHook(BeforeToolCallEvent, (event) => {
          seen.push(name);
          if (name === 'guard') event.cancel = 'guarded';
        });
      },
    });
    const steal = new ForeignTool('steal');
    const agent = template([[call('steal', {}, 'c1')], DONE], steal, { plugins: [plugin('guard')] });
    const config = { threadAgentConfig: () => ({ plugins: [plugin('thread')] }) };
    const s = await served([], { agent, config, bridge: { plugins: [plugin('bridge')] } });
    expect(resultsOf(await s.run())).toEqual([['c1', 'guarded']]);
    expect(seen.sort()).toEqual(['bridge', 'guard', 'thread']);
    expect(steal.inputs).toEqual([]);
  });

  it.each([
    ['tool-call hooks', (agent: Agent) => agent.addHook(BeforeToolCallEvent, () => undefined)],
    ['tool-call hooks', (agent: Agent) => agent.addHook(BeforeToolsEvent, () => undefined)],
    ['tool-call hooks', (agent: Agent) => agent.addHook(AfterToolCallEvent, () => undefined)],
    ['tool middleware', (agent: Agent) => agent.addMiddleware(ExecuteToolStage, (context, next) => next(context))],
  ])('[B1] is refused at construction, by name, when %s guard it that a copy would lose', (what, guard) => {
    for (const interventions of [[], [new Watch()], [new Deny()]]) {
      const agent = template([], new ForeignTool('steal'), { interventions });
      guard(agent);
      expect(() => new StrandsAgent({ agent, name: 'assistant' })).toThrow(ConfigError);
      expect(() => new StrandsAgent({ agent, name: 'assistant' })).toThrow(new RegExp(`${what}.*factory`));
    }
  });

  it('[B1] is refused when it has been used, since its plugins’ hooks cannot be told from others then', async () => {
    const agent = template([DONE], new ForeignTool('steal'));
    agent.addHook(BeforeToolCallEvent, () => undefined);
    await agent.invoke('go');
    expect(() => new StrandsAgent({ agent, name: 'assistant' })).toThrow(/has been used already/);
  });

  it('[B1] is copied when its hooks guard nothing', async () => {
    const agent = template([DONE], new ForeignTool('steal'));
    agent.addHook(MessageAddedEvent, () => undefined);
    expect(endOf(await (await served([], { agent })).run())).toBe('success');
  });

  it('[B1] with interventions does not give way to an agent of the application that has none', async () => {
    const steal = new ForeignTool('steal');
    const bare = template([[call('steal', {})], DONE], steal);
    const agent = template([], steal, { interventions: [new Deny()] });
    const s = await served([], { agent, bridge: { agentsByThread: new Map([['t1', bare]]) } });
    expect(endOf(await s.run())).toBe('STRANDS_ERROR');
    expect(s.log.of('error').join()).toContain("lacks the intervention 'deny'");
    expect(steal.inputs).toEqual([]);
  });

  it('[B1, C2.5] warns once, by name, of settings that its threads will not have', async () => {
    const log = new LogBook();
    const agent = template([DONE, DONE], new ForeignTool('steal'), { contextManager: 'auto' });
    const s = await served([], { agent, config: { logger: log } });
    await s.run();
    await s.run({ threadId: 't2' });
    expect(log.of('warn')).toEqual([expect.stringMatching(/template's .*contextManager.* cannot be copied/)]);
  });
});
