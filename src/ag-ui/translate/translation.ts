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
import type { HookPoint, Output } from './output.ts';
import { Pull } from './pull.ts';
import { behaviorLookup, type Rules } from './rules.ts';
import { createInputReader, endTurnHere, type InputReader, type StrandsEvent } from './sdk-input.ts';
import { SharedState } from './shared-state.ts';
import { initialState, type State } from './state.ts';
import type { StreamEnd, TranslateOptions, TranslationEnd } from './translator.ts';
import { usageList } from './usage.ts';

/** The last words of an agent whose turn the bridge ended; they are for nobody and are taken out of its history. */
export const HALT_TEXT = '[strands-tau] The turn was ended after its tools.';

/** An output that needs no developer code. */
type PlainOutput = Exclude<Output, HookPoint>;

const NOTHING: readonly Output[] = [];

/** The parts of one translation and what they know of the run so far. */
export class Translation {
  readonly #rules: Rules;
  readonly #thread: ThreadLog;
  readonly #shared: SharedState;
  readonly #snapshots: MessagesSnapshotMode;
  readonly #hooks: HookSetting;
  readonly #map: EventMapper;
  readonly #read: InputReader;
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
    this.#read = createInputReader((message) => log.warn(message));
  }

  /** What an event of the agent asks for, in order. */
  outputsOf(event: StrandsEvent): readonly Output[] {
    const inputs = this.#read(event);
    const [only] = inputs;
    if (only === undefined) return NOTHING;
    return inputs.length === 1 ? this.#step(only) : inputs.flatMap((input) => this.#step(input));
  }

  #step(input: TranslatorInput): readonly Output[] {
    const { state, outputs } = step(this.#state, input, this.#rules);
    this.#state = state;
    return outputs;
  }

  /** Does what an output asks for and returns what is to be sent. */
  perform(output: PlainOutput, source: StrandsEvent | undefined): BaseEvent | undefined {
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
      case 'reject':
        throw runErrorWithMessage(output.code, output.message);
      default:
        return output satisfies never;
    }
  }

  /** Runs developer code, for as long as anybody listens. */
  async *runHook(point: HookPoint, signal: AbortSignal): AsyncGenerator<BaseEvent, void, undefined> {
    const pull = new Pull(runHook(point, this.#hooks), signal);
    try {
      for (let next = await pull.next(); ; next = await pull.next()) {
        if (next.done) {
          if (point.hook === 'argsStreamer') this.#streamerFailed = !next.value;
          return;
        }
        const event = this.#map(next.value);
        if (event !== undefined) yield event;
      }
    } finally {
      void pull.close();
    }
  }

  /** Closes whatever is open. After a result, the thread and the state are shown for the last time. */
  *close(end: StreamEnd): Generator<BaseEvent, void, undefined> {
    const ended = end.type === 'result';
    const { state, outputs } = ended ? finish(this.#state) : fail(this.#state);
    this.#state = state;
    for (const output of outputs) {
      const event = output.type === 'hook' ? undefined : this.perform(output, undefined);
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
    isPastCall: (toolUseId) => past.has(toolUseId),
    behaviorOf: behaviorLookup(config.toolBehaviors),
    newId,
  };
}

function callsOf(message: Message): readonly string[] {
  return message.role === 'assistant' ? (message.toolCalls ?? []).map((call) => call.id) : [];
}
