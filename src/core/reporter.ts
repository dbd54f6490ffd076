import { logRedactor } from './audit-redact.ts';
import { type CallOrigin, freezeOrigin } from './call.ts';
import { errorText } from './errors.ts';
import type { AgentEvent, ApprovalEvent, ErrorEvent, EventSink, ToolCallEvent } from './events.ts';
import { summarize } from './outcome.ts';
import type { Clock, Logger } from './platform.ts';

/** What an `error` event is about. */
export interface FaultSubject {
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly origin?: CallOrigin;
  /** What was thrown; its text is told apart from the message. */
  readonly error?: unknown;
}

/** Tells sinks and the log what happened. Nothing that a sink or logger does can change a decision. */
export class Reporter {
  readonly #sinks: Set<EventSink>;
  readonly #logger: Logger;
  readonly #hide: ReturnType<typeof logRedactor>;

  readonly #clock: Clock;

  constructor(options: { sinks: readonly EventSink[]; logger: Logger; redact: readonly string[]; clock: Clock }) {
    this.#clock = options.clock;
    this.#sinks = new Set(options.sinks);
    this.#logger = options.logger;
    this.#hide = logRedactor(options.redact);
  }

  /** Adds a sink; returns its undo. */
  subscribe(sink: EventSink): () => void {
    this.#sinks.add(sink);
    return () => this.#sinks.delete(sink);
  }

  /** Delivers one event. */
  emit(event: AgentEvent): void {
    this.#deliver(event, () => this.#log(event));
  }

  /** Emits an `error` event; what a model can cause at will is only worth a warning in the log. */
  fault(
    where: ErrorEvent['where'],
    message: string,
    about: FaultSubject = {},
    level: 'warn' | 'error' = 'error',
  ): void {
    const { tool, toolUseId, origin } = about;
    const error = about.error === undefined ? {} : { error: errorText(about.error).toWellFormed() };
    const event: ErrorEvent = {
      type: 'error',
      at: this.#clock.now(),
      where,
      message,
      ...error,
      ...(tool === undefined ? {} : { tool }),
      ...(toolUseId === undefined ? {} : { toolUseId }),
      ...(origin === undefined ? {} : { origin: freezeOrigin(origin) }),
    };
    this.#deliver(event, () => this.#write(level, message, { where, tool, ...error }));
  }

  /** A warning that is not an event. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void {
    this.#write('warn', message, fields);
  }

  #deliver(event: AgentEvent, log: () => void): void {
    Object.freeze(event);
    this.#guarded(log);
    for (const sink of this.#sinks) this.#guarded(() => sink(event));
  }

  #write(level: keyof Logger, text: string, fields?: Readonly<Record<string, unknown>>): void {
    this.#guarded(() => this.#logger[level](text, fields));
  }

  /** Runs what is not ours; it may throw, or return a promise that rejects. */
  #guarded(action: () => unknown): void {
    try {
      const result = action();
      if (result === undefined) return;
      Promise.resolve(result).catch((error: unknown) => this.#sinkFailed(error));
    } catch (error) {
      this.#sinkFailed(error);
    }
  }

  #sinkFailed(error: unknown): void {
    try {
      const logged: unknown = this.#logger.error('an event sink failed', { error: errorText(error) });
      Promise.resolve(logged).catch(() => undefined);
    } catch {
      // The logger itself is broken; there is nobody left to tell.
    }
  }

  #log(event: AgentEvent): void {
    switch (event.type) {
      case 'tool_call':
        return this.#logToolCall(event);
      case 'approval':
        return this.#logApproval(event);
      case 'error':
        return this.#write('error', event.message, { where: event.where, tool: event.tool, error: event.error });
      case 'turn_limit':
        return this.#write('info', 'turn limit reached', { limit: event.limit, value: event.value });
      default:
        event satisfies never;
    }
  }

  #logToolCall(event: ToolCallEvent): void {
    if (event.tier === 0) return this.#write('debug', 'tool_call', { tool: event.tool, status: event.status });
    // What is hidden in the arguments is hidden where the result repeats it, too.
    const { arguments: args, resultSummary } = event;
    const hidden = this.#hide({ arguments: args, resultSummary });
    const fields = {
      tool: event.tool,
      tier: event.tier,
      arguments: summarize(hidden.arguments),
      status: event.status,
      result: hidden.resultSummary,
      approval: event.approval,
      ...(event.reason === undefined ? {} : { reason: event.reason }),
      durationMs: event.durationMs,
    };
    // One that needed no approval is somebody else's to run, such as a client's; that it may run has been seen to.
    const isUnknown = event.tier === undefined && event.approval !== 'not_required';
    if (isUnknown) this.#write('warn', 'tool_call of an unknown tool', fields);
    else this.#write('info', 'tool_call', fields);
  }

  #logApproval(event: ApprovalEvent): void {
    const fields = {
      tool: event.tool,
      decision: event.decision,
      approver: event.approver,
      by: event.by?.id,
      approvalId: event.approvalId,
    };
    if (event.decision === 'timeout') this.#write('warn', 'approval timed out', fields);
    else this.#write('info', 'approval', fields);
  }
}
