import type { CallPosition } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { Approver } from './approver.ts';
import type { ToolCatalog } from './catalog.ts';
import type { OptionKinds } from './check-options.ts';
import type { EventSink } from './events.ts';
import { LANGUAGES, type Language } from './i18n.ts';
import type { JSONValue } from './json.ts';
import type { Clock, Logger, Random } from './platform.ts';
import type { Policy } from './policy.ts';

/** What a gate is made of. Only the catalog is needed; everything else has a default that fails closed. */
export interface TierGateOptions {
  readonly catalog: ToolCatalog;
  /** Who is asked; without one every question is answered no. */
  readonly approver?: Approver;
  /** How long a question waits, in seconds. Wins over the approver's own; neither means no limit. */
  readonly timeoutSeconds?: number;
  /** How long an unused yes stays valid, in seconds; default 600. */
  readonly useWithinSeconds?: number;
  readonly policy?: Policy;
  /** Where approvals are kept; default: the memory of this process. */
  readonly store?: ApprovalStore;
  readonly sinks?: readonly EventSink[];
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Language of what people read; default `en`. */
  readonly language?: Language;
  /** Paths of secrets in arguments, hidden in logs (`password`, `card.number`, `headers.*`). Never hidden in a question. */
  readonly redact?: readonly string[];
}

/** What each of them must be. Durations are checked where the approver's own is. */
export const gateOptionKinds: OptionKinds<TierGateOptions> = {
  catalog: 'object',
  approver: 'object',
  timeoutSeconds: 'any',
  useWithinSeconds: 'any',
  policy: 'object',
  store: 'object',
  sinks: 'list',
  logger: 'object',
  clock: 'object',
  random: 'function',
  language: LANGUAGES,
  redact: 'list',
};

/** How one call is checked. */
export interface CheckOptions {
  /** Fires when the call is cancelled; a question still open is withdrawn. */
  readonly signal?: AbortSignal;
  /** Names of the tools this request may see; absent means all. */
  readonly visible?: ReadonlySet<string>;
  /**
   * Turns plain JSON input into what the tool takes, in place of the catalog entry's own `parse`. Called after the caller is known to see the
   * tool; what it returns is frozen, asked about and run. A throw is `invalid_arguments`, with its message for the model.
   */
  readonly parse?: (input: JSONValue) => unknown;
  /** Where the call stands in a conversation; makes its record findable after a restart. */
  readonly position?: Omit<CallPosition, 'rawDigest'>;
  /** Whether a record of an earlier dispatch of this position counts; a retry must not reuse one. Default `false`. */
  readonly claim?: boolean;
  /**
   * Id of a new attempt that a person has ordered (`TierGate.retry`): only that record permits the call, and nobody is
   * asked. `TierGate.attempt` sets it.
   */
  readonly attempt?: string;
  /** Whether a question may be parked; if not, an approver that parks refuses the call. Default `true`. */
  readonly mayPark?: boolean;
  /** Records calls of tiers 1 and 2 that need no question in the store too, so that a crash does not run them twice. */
  readonly journal?: boolean;
}

/** What a body's value means. */
export interface Described {
  readonly status: 'success' | 'error';
  /** At most 200 characters are kept. */
  readonly summary: string;
  /** What to store of it, to answer again after a crash without running again. */
  readonly result?: () => JSONValue;
}

/** How one call is run. */
export interface RunOptions<T> extends CheckOptions {
  /** Whether a tier-2 body takes the gate's lock. An agent used as a tool must not: its own tools need it. Default `true`. */
  readonly lock?: boolean;
  /**
   * Whether what the body threw means that it waits and will go on in a later dispatch. Such a call has not ended:
   * nothing is told of it yet. Only for calls without a question of their own.
   */
  readonly suspends?: (error: unknown) => boolean;
  /** Reads a returned value; default: success, summarized as JSON, not stored. */
  readonly describe?: (value: T) => Described;
}

/** How a new attempt is run. */
export type AttemptOptions<T> = Pick<RunOptions<T>, 'signal' | 'visible' | 'lock' | 'describe'>;
