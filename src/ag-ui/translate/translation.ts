import type { BaseEvent, Message } from '@ag-ui/core';
import type { MessagesSnapshotMode } from '../config.ts';
import { runErrorWithMessage } from '../run-error.ts';
import { snapshotMode } from '../snapshot/mode.ts';
import { ThreadLog } from '../snapshot/thread-log.ts';
import { chunkMapper, type EventMapper, wholeEvents } from './chunks.ts';
import { messagesSnapshot, stateSnapshot } from './events.ts';
import { type HookSetting, runHook } from './hooks.ts';
import type { TranslatorInput } from './input.ts';
import { fail, finish, step } from './machine.ts';
import type { TranslateOptions } from './options.ts';
import type { HookPoint, Output } from './output.ts';
import { continueOpen } from './piece.ts';
import { behaviorLookup, type Rules } from './rules.ts';
import { endTurnHere, type StrandsEvent } from './sdk-events.ts';
import { createInputReader, type InputReader } from './sdk-input.ts';
import { SharedState } from './shared-state.ts';
import { initialState, type State } from './state.ts';
import type { StreamEnd, TranslationEnd } from './translation-end.ts';
import { usageList } from './usage.ts';

/** The last words of an agent whose turn the bridge ended; they are for nobody and are taken out of its history. */
export const HALT_TEXT = '[strands-tau] The turn was ended after its tools.';

const NOTHING: readonly Output[] = [];

/** The parts of one translation and what they know of the run so far. */
export class Translation {
  readonly #rules: Rules;
  readonly #thread: ThreadLog;
  readonly #shared: SharedState;
  readonly #snapshots: MessagesSnapshotMode;
  readonly #hooks: HookSetting;
  readonly #map: EventMapper;
  readonly #reader: InputReader;
  #state: State = initialState();
  /** The arguments of the call that is being shown are not whole, so the thread is not shown with it. */
  #streamerFailed = false;

  constructor(options: TranslateOptions) {
    const { input, config, extras, log } = options;
    this.#rules = rulesOf(options);
    this.#thread = new ThreadLog(input.messages);
    this.#shared = new SharedState(input.state);
    this.#snapshots = snapshotMode(config);
    this.#hooks = { input, extras, state: this.#shared, log };
    this.#map = config.emitChunkEvents === true ? chunkMapper() : wholeEvents;
    this.#reader = createInputReader((message) => log.warn(message));
  }

  /** What is sent for a piece of what is open: the way of nearly all events, without the others'. */
  continueOpen(event: StrandsEvent): BaseEvent | undefined {
    const piece = this.#reader.readPiece(event);
    const next = piece === undefined ? undefined : continueOpen(this.#state, piece);
    return next === undefined ? undefined : this.#map(next);
  }

  /** What an event of the agent asks for, in order. */
  outputsOf(event: StrandsEvent): readonly Output[] {
    const inputs = this.#reader.read(event);
    const [only] = inputs;
    if (only === undefined) return NOTHING;
    return inputs.length === 1 ? this.#step(only) : inputs.flatMap((input) => this.#step(input));
  }

  #step(input: TranslatorInput): readonly Output[] {
    const { state, outputs } = step(this.#state, input, this.#rules);
    this.#state = state;
    return outputs;
  }

  /** Does what an output asks for and returns what is to be sent; a hook is for `runHook`. */
  perform(output: Output, source: StrandsEvent | undefined): BaseEvent | undefined {
    switch (output.type) {
      case 'event':
        return this.#map(output.event);
      case 'message':
        return this.#addMessage(output.message, output.snapshot);
      case 'state':
        return this.#shared.merge(output.state);
      case 'halt':
        if (source !== undefined) endTurnHere(source, HALT_TEXT);
        return undefined;
      case 'hook':
        return undefined;
      case 'reject':
        throw runErrorWithMessage(output.code, output.message);
      default:
        return output satisfies never;
    }
  }

  /** Runs developer code. */
  async *runHook(point: HookPoint): AsyncGenerator<BaseEvent, void, undefined> {
    const hook = runHook(point, this.#hooks);
    let next = await hook.next();
    for (; next.done !== true; next = await hook.next()) {
      const event = this.#map(next.value);
      if (event !== undefined) yield event;
    }
    if (point.hook === 'argsStreamer') this.#streamerFailed = !next.value;
  }

  /**
   * Closes whatever is open. After a result, the thread and the state are shown for the last time.
   *
   * @param rest - What was still to be done when the run ended: the machine counts it as done.
   */
  *close(end: StreamEnd, rest: readonly Output[]): Generator<BaseEvent, void, undefined> {
    const ended = end.type === 'result';
    const { state, outputs } = ended ? finish(this.#state) : fail(this.#state);
    this.#state = state;
    for (const output of [...rest, ...outputs]) {
      // It is too late to refuse anything: the run has ended for a reason of its own.
      if (output.type === 'reject') continue;
      const event = this.perform(output, undefined);
      if (event !== undefined) yield event;
    }
    if (!ended) return;
    if (this.#snapshots === 'run') yield messagesSnapshot(this.#thread.all());
    yield stateSnapshot(this.#shared.current);
  }

  summary(end: StreamEnd, closed: Promise<void>): TranslationEnd {
    return {
      end,
      halted: this.#state.halted,
      usage: usageList(this.#state.ledger.usage),
      state: this.#shared.current,
      messages: this.#thread.produced,
      closed,
    };
  }

  #addMessage(message: Message, snapshot: boolean): BaseEvent | undefined {
    this.#thread.add(message);
    const whole = !this.#streamerFailed;
    this.#streamerFailed = false;
    return snapshot && whole && this.#snapshots === 'boundaries' ? messagesSnapshot(this.#thread.all()) : undefined;
  }
}

function rulesOf({ input, config, rules, newId }: TranslateOptions): Rules {
  const past = new Set(input.messages.flatMap(callsOf));
  return {
    isFrontend: (name) => rules.isFrontend(name),
    alreadyAnnounced: (toolUseId) => rules.alreadyAnnounced(toolUseId),
    isUnanswered: (toolUseId) => rules.isUnanswered?.(toolUseId) === true,
    isPastCall: (toolUseId) => past.has(toolUseId),
    behaviorOf: behaviorLookup(config.toolBehaviors),
    newId,
  };
}

function callsOf(message: Message): readonly string[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [];
}
