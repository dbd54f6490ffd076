import type { BaseEvent, Message, RunAgentInput } from '@ag-ui/core';
import type { Agent, Plugin } from '@strands-agents/sdk';
import { ANONYMOUS, freezePrincipal, type Principal } from '../core/call.ts';
import { consoleLogger, systemClock } from '../core/platform.ts';
import type { TauAgent } from '../strands/tau-agent.ts';
import { serve } from './bridge.ts';
import type { BridgeParts } from './bridge-parts.ts';
import { checkAgentOptions } from './check-agent-options.ts';
import type { Logger, RequestContext, StrandsAgentConfig } from './config.ts';
import type { StrandsAgentOptions, StrandsAgentRunOptions } from './strands-agent-options.ts';
import { type AgentSource, agentSource } from './thread/agent-source.ts';
import { FINISH_TOOLS_SECONDS, Leaving } from './thread/leaving.ts';
import { readThread } from './thread/read-thread.ts';
import { RunStream } from './thread/run-stream.ts';
import { templateConfig } from './thread/template-copy.ts';
import { threadKey } from './thread/thread-key.ts';
import { Threads } from './thread/threads.ts';

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

  /**
   * @throws ConfigError when the agent cannot be served without losing what guards it, and on an option or a setting that
   *   does not exist or cannot be what it is.
   */
  constructor(options: StrandsAgentOptions) {
    const unserved = checkAgentOptions(options);
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
    if (unserved.length > 0) loggerOf(config).warn(`${unserved.join(', ')}: not supported; the setting does nothing`);
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
