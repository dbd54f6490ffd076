import type { HaltReason } from './output.ts';
import type { UsageTotals } from './usage.ts';

/** A call of this run, or one of a resumed batch. */
export interface KnownCall {
  /** The SDK's id. */
  readonly toolUseId: string;
  /** The id on the wire: the SDK's, unless that was empty or is taken. */
  readonly wireId: string;
  readonly name: string;
  readonly frontend: boolean;
  readonly toolInput: unknown;
  readonly argsStr: string;
}

/**
 * How the call that is being streamed is shown.
 *
 * | mode | meaning |
 * |---|---|
 * | `streamed` | announced; its arguments go out as they come |
 * | `held` | its arguments go out at the end of the block, through the developer's streamer |
 * | `hidden` | the client knows it; nothing goes out |
 */
export type CallMode = 'streamed' | 'held' | 'hidden';

export interface OpenCall {
  readonly toolUseId: string;
  readonly wireId: string;
  readonly name: string;
  readonly frontend: boolean;
  readonly mode: CallMode;
  readonly parentMessageId: string;
  /** Joined once, at the end of the block. */
  readonly chunks: string[];
}

export interface OpenText {
  readonly messageId: string;
  readonly chunks: string[];
}

/**
 * What a run has seen, which only grows. All states of one run share it, so that a step costs the same at the end of a
 * long run as at its start; a state that was stepped is therefore spent.
 */
export interface Ledger {
  /** By the SDK's id; a later call with the same id replaces the earlier one. */
  readonly calls: Map<string, KnownCall>;
  /** Every id of a call or a result that went out, and those that were known before. */
  readonly wireIds: Set<string>;
  /** Wire ids of calls whose result is known. */
  readonly answered: Set<string>;
  readonly usage: UsageTotals;
}

/** Where a translation stands. */
export interface State {
  readonly text: OpenText | undefined;
  /** Id of the reasoning message that is open. */
  readonly reasoning: string | undefined;
  readonly call: OpenCall | undefined;
  /** The model's words are not shown any more: the client has a call to answer, or the run is about to end. */
  readonly muted: boolean;
  /** SDK ids of calls of this batch that wait for the client. */
  readonly forwarded: readonly string[];
  /** A result asked for the end of the run. */
  readonly stopAfterTools: boolean;
  readonly halted: HaltReason | undefined;
  /** The unusual reason for which the model stopped last. */
  readonly stopReason: string | undefined;
  readonly steps: readonly string[];
  readonly ledger: Ledger;
}

/** The state of a run that has seen nothing. */
export function initialState(): State {
  return {
    text: undefined,
    reasoning: undefined,
    call: undefined,
    muted: false,
    forwarded: [],
    stopAfterTools: false,
    halted: undefined,
    stopReason: undefined,
    steps: [],
    ledger: { calls: new Map(), wireIds: new Set(), answered: new Set(), usage: new Map() },
  };
}
