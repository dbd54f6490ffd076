import type { BaseEvent, Message, RunAgentInput } from '@ag-ui/core';
import type { Agent, InvocationState, Plugin } from '@strands-agents/sdk';
import { ANONYMOUS, freezePrincipal, type Principal } from '../core/call.ts';
import { consoleLogger, systemClock } from '../core/platform.ts';
import type { TauAgent } from '../strands/tau-agent.ts';
import { serve } from './bridge.ts';
import type { BridgeParts } from './bridge-parts.ts';
import type { Logger, RequestContext, StrandsAgentConfig } from './config.ts';
import {
  type AgentSource,
  agentSource,
  type StrandsOrchestrator,
  type ThreadAgentFactory,
} from './thread/agent-source.ts';
import { FINISH_TOOLS_SECONDS, Leaving } from './thread/leaving.ts';
import { readThread } from './thread/read-thread.ts';
import { RunStream } from './thread/run-stream.ts';
import { templateConfig } from './thread/template-copy.ts';
import { threadKey } from './thread/thread-key.ts';
import { Threads } from './thread/threads.ts';

/** What a bridge is made from. */
export interface StrandsAgentOptions {
  /**
   * What each thread runs: a `TauAgent` (its guard comes along), a factory, or a plain template `Agent`. An orchestrator
   * is accepted and its runs are refused with a clear code.
   */
  readonly agent: TauAgent | Agent | ThreadAgentFactory | StrandsOrchestrator;
  readonly name: string;
  readonly description?: string;
  readonly config?: StrandsAgentConfig;
  /** Added to every thread's agent. */
  readonly plugins?: readonly Plugin[];
  /**
   * The application's own cache of agents by thread id; used as it is and never evicted from. In that of a guarded
   * agent belong TauAgents of the same gate; others are refused.
   */
  readonly agentsByThread?: Map<string, Agent | TauAgent>;
}

/** Who sent a run. */
export interface StrandsAgentRunOptions {
  /** Established by the `auth` hook; default `anonymous`. */
  readonly principal?: Principal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fires when the client has left: the model call is aborted and the thread is free again. */
  readonly signal?: AbortSignal;
  /**
   * Whether the request's answers to approvals count as decisions of the principal. Give `false` for a credential that may
   * talk to the agent and not decide: such a request decides and edits nothing and ends with `FORBIDDEN_ANSWER`. Answers
   * to interrupts of your own hooks and tools are no decisions and always count. Default `true`.
   */
  readonly mayDecide?: boolean;
  /** Handed to the agent's hooks and tools. */
  readonly invocationState?: InvocationState;
}

/**
 * Serves a Strands agent to AG-UI clients: one agent a thread, its tools filtered for each request, its approvals asked
 * and answered over the wire.
 *
 * @example
 * ```ts
 * const bridge = new StrandsAgent({ agent: await buildAgent({ model, tools }), name: 'assistant' });
 * for await (const event of bridge.run(input, { principal })) send(event);
 * ```
 */
export class StrandsAgent {
  readonly name: string;
  readonly description: string;
  /** Read anew by every run. */
  readonly config: StrandsAgentConfig;
  readonly #source: AgentSource;
  readonly #plugins: readonly Plugin[];
  readonly #agentsByThread: Map<string, Agent | TauAgent> | undefined;
  readonly #threads: Threads;

  /** @throws ConfigError when the agent cannot be served without losing what guards it. */
  constructor(options: StrandsAgentOptions) {
    const { agent, name, description = '', config = {}, plugins = [], agentsByThread } = options;
    this.name = name;
    this.description = description;
    this.config = config;
    this.#source = agentSource(agent);
    this.#plugins = [...plugins];
    this.#agentsByThread = agentsByThread;
    this.#threads = new Threads({
      maxThreads: config.maxThreads ?? 1000,
      idleSeconds: config.threadIdleSeconds ?? 3600,
      clock: systemClock,
    });
    checkSource(this.#source, name, config);
  }

  /** Runs one request; yields AG-UI events. Leaving the stream aborts the run and frees its thread. */
  run(input: RunAgentInput, options: StrandsAgentRunOptions = {}): AsyncGenerator<BaseEvent, void, undefined> {
    return this.#serve(input, options, false);
  }

  /**
   * Goes on with the calls of a thread whose questions were decided, without a client: what it waits for comes from the
   * approval store alone. A thread that waits for nothing, or for something that only its client can answer, is left as it
   * is; one on which a run is in progress ends with `THREAD_BUSY`. A `templateToolsProvider` is asked with a request that
   * says nothing, so it must be able to decide by the principal.
   */
  resumeThread(
    threadId: string,
    options: Omit<StrandsAgentRunOptions, 'headers'> = {},
  ): AsyncGenerator<BaseEvent, void, undefined> {
    return this.#serve(silentInput(threadId), options, true);
  }

  /**
   * Everything that was said in a thread of this principal, the calls it waits at included; read from its session when
   * the process does not hold it. Nothing is run.
   */
  messagesOf(threadId: string, options: Pick<StrandsAgentRunOptions, 'principal'> = {}): Promise<readonly Message[]> {
    return readThread(this.#parts(), silentInput(threadId), contextOf(options, new AbortController().signal));
  }

  /**
   * Resolves once no run is in progress, or none on the given thread of this principal; then nothing of it is written
   * any more. A run whose client has left counts for as long as its tools are at work.
   */
  idle(thread?: { readonly threadId: string; readonly principal?: Principal }): Promise<void> {
    if (thread === undefined) return this.#threads.idle();
    return this.#threads.idle(threadKey(thread.threadId, thread.principal ?? ANONYMOUS));
  }

  #serve(
    input: RunAgentInput,
    options: StrandsAgentRunOptions,
    isWakeUp: boolean,
  ): AsyncGenerator<BaseEvent, void, undefined> {
    const controller = new AbortController();
    const context = contextOf(options, controller.signal);
    const { invocationState } = options;
    const leaving = new Leaving(context.signal, this.config.finishToolsSeconds ?? FINISH_TOOLS_SECONDS);
    const steps = serve(this.#parts(), { input, context, leaving, invocationState, isWakeUp });
    return new RunStream(steps, () => controller.abort(), context.signal);
  }

  #parts(): BridgeParts {
    return {
      source: this.#source,
      name: this.name,
      config: this.config,
      plugins: this.#plugins,
      agentsByThread: this.#agentsByThread,
      threads: this.#threads,
      log: loggerOf(this.config),
    };
  }
}

/** Settings of `@ag-ui/aws-strands` for what this bridge does not serve. */
const UNSERVED = ['a2ui', 'urlFetchPolicy', 'audioInputSupported'];

function contextOf(options: StrandsAgentRunOptions, own: AbortSignal): RequestContext {
  const { principal, headers = {}, signal, mayDecide = true } = options;
  return Object.freeze({
    principal: principal === undefined ? ANONYMOUS : freezePrincipal(principal),
    headers,
    mayDecide: mayDecide === true,
    signal: signal === undefined ? own : AbortSignal.any([signal, own]),
  });
}

/** A request that says nothing. */
function silentInput(threadId: string): RunAgentInput {
  const runId = globalThis.crypto.randomUUID();
  return { threadId, runId, messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
}

/** What can be said of an agent before anybody uses it. */
function checkSource(source: AgentSource, name: string, config: StrandsAgentConfig): void {
  if (source.kind === 'template') templateConfig(source.agent, name, loggerOf(config));
  const unserved = UNSERVED.filter((setting) => setting in config);
  if (unserved.length > 0) loggerOf(config).warn(`${unserved.join(', ')}: not supported; the setting does nothing`);
  if (source.kind !== 'tau' || source.agent.agent.sessionManager === undefined) return;
  if (config.sessionManagerProvider !== undefined) return;
  loggerOf(config).warn(
    'The sessionManager that the agent was built with is not used: it is one, and each thread needs its own. ' +
      'Give the bridge a sessionManagerProvider',
  );
}

function loggerOf(config: StrandsAgentConfig): Logger {
  return config.logger ?? consoleLogger;
}
