import { HttpAgent, transformChunks, verifyEvents } from '@ag-ui/client';
import type { BaseEvent, Message, RunAgentInput } from '@ag-ui/core';
import { transformChunks as transformChunksOld, verifyEvents as verifyEventsOld } from 'ag-ui-client-0-0-5';
import type { Logger, ToolBehavior } from '../../src/ag-ui/config.ts';
import { closeStream } from '../../src/ag-ui/translate/close-stream.ts';
import type { TranslateOptions } from '../../src/ag-ui/translate/options.ts';
import type { RunRules } from '../../src/ag-ui/translate/rules.ts';

/** A request with nothing in it but what a test says. */
function request(partial: Partial<RunAgentInput> = {}): RunAgentInput {
  return { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, ...partial };
}

/** Ids that say in which order they were asked for. */
export function counter(prefix = 'id'): () => string {
  let last = 0;
  return () => `${prefix}${++last}`;
}

/** A log that remembers. */
export class MemoryLog implements Logger {
  readonly warnings: string[] = [];
  debug(): void {}
  warn(message: string): void {
    this.warnings.push(message);
  }
  error(message: string): void {
    this.warnings.push(message);
  }
}

/** Rules of a run in which the tools named here are the client's. */
export function runRules(frontend: readonly string[] = [], announced: readonly string[] = []): RunRules {
  return {
    isFrontend: (name) => frontend.includes(name),
    alreadyAnnounced: (toolUseId) => announced.includes(toolUseId),
  };
}

export interface OptionsPart extends Partial<Omit<TranslateOptions, 'input'>> {
  readonly input?: Partial<RunAgentInput>;
  readonly behaviors?: Readonly<Record<string, ToolBehavior>>;
}

/** Settings of a translation in which only what a test says is special. */
export function translateOptions(part: OptionsPart = {}): TranslateOptions {
  const { input, behaviors, ...rest } = part;
  return {
    input: request(input),
    config: behaviors === undefined ? {} : { toolBehaviors: behaviors },
    extras: { context: {}, forwardedProps: {} },
    rules: runRules(),
    newId: counter(),
    signal: new AbortController().signal,
    cancel: () => undefined,
    leave: closeStream,
    log: new MemoryLog(),
    ...rest,
  };
}

type Source = Parameters<ReturnType<typeof verifyEvents>>[0];
type OldSource = Parameters<ReturnType<typeof verifyEventsOld>>[0];

/** The client's kind of stream, taken from the client: its library is no dependency of this package. */
const makeSource = new HttpAgent({ url: 'http://127.0.0.1:9' }).run(request()).constructor as new (
  subscribe: (subscriber: { next(event: unknown): void; complete(): void }) => void,
) => Source;

/** Events as a client gets them: what was assembled from chunks stands as whole events. Throws as the client does. */
export function seenByClient(events: readonly BaseEvent[]): readonly BaseEvent[] {
  return collect(verifyEvents(false)(transformChunks(false)(sourceOf(events))));
}

/** The same for a client of the older generation. */
export function seenByOldClient(events: readonly BaseEvent[]): readonly BaseEvent[] {
  const old = sourceOf(events) as unknown as OldSource;
  return collect(verifyEventsOld(false)(transformChunksOld(false)(old)) as unknown as Source);
}

function sourceOf(events: readonly BaseEvent[]): Source {
  return new makeSource((subscriber) => {
    for (const event of events) subscriber.next(event);
    subscriber.complete();
  });
}

function collect(source: Source): readonly BaseEvent[] {
  const seen: BaseEvent[] = [];
  let failure: unknown;
  source.subscribe({
    next: (event) => seen.push(event),
    error: (error: unknown) => {
      failure = error ?? new Error('failed');
    },
  });
  if (failure !== undefined) throw failure;
  return seen;
}

function fixed(type: string, fields: object = {}): BaseEvent {
  return { type, threadId: 't', runId: 'r', ...fields } as unknown as BaseEvent;
}

/** A whole run around the events of a translation. */
export function asRun(events: readonly BaseEvent[], failed = false): readonly BaseEvent[] {
  const end = failed ? fixed('RUN_ERROR', { message: 'failed', code: 'X' }) : fixed('RUN_FINISHED');
  return [fixed('RUN_STARTED'), ...events, end];
}

/** An event in one line: its type and what tells it apart. */
export function line(event: BaseEvent): string {
  const { type, messageId, toolCallId, delta, content, snapshot, name, value, messages } = event;
  const shown = messages === undefined ? undefined : (messages as Message[]).map(({ id }) => id).join(' ');
  const parts = [messageId, toolCallId, delta, content, name, snapshot, value, shown];
  const told = parts.filter((part) => part !== undefined);
  return [type, ...told.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))].join(' ');
}
