import type { Decision } from './approver.ts';
import type { CallOrigin, Principal } from './call.ts';
import type { JSONValue } from './json.ts';
import type { Tier } from './tier.ts';
import type { RefusalReason } from './verdict.ts';

/** How a call came to run, or why it did not. */
export type ApprovalOutcome = 'not_required' | 'approved' | 'exempt' | 'rejected' | 'timeout' | 'refused';

/** One call of any tier, told once, by whoever ran or refused it. */
export interface ToolCallEvent {
  readonly type: 'tool_call';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly tool: string;
  /** `undefined` for a tool that the catalog does not know. */
  readonly tier: Tier | undefined;
  readonly arguments: JSONValue;
  readonly toolUseId?: string;
  readonly status: 'success' | 'error';
  /** At most 200 characters. */
  readonly resultSummary: string;
  readonly approval: ApprovalOutcome;
  /** Why a call that did not run was refused. */
  readonly reason?: RefusalReason;
  readonly approvalId?: string;
  readonly durationMs: number;
  readonly origin: CallOrigin;
}

/** A question was decided. */
export interface ApprovalEvent {
  readonly type: 'approval';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly approvalId: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly effect: string;
  readonly arguments: JSONValue;
  readonly digest: string;
  readonly toolUseId?: string;
  readonly decision: Decision;
  /** Where it was decided: the name of the approver or of the channel, such as `http`; `clock` when time ran out. */
  readonly approver: string;
  readonly by?: Principal;
  readonly reason?: string;
  readonly durationMs: number;
  readonly origin: CallOrigin;
}

/** Something went wrong that a person should look at. */
export interface ErrorEvent {
  readonly type: 'error';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly where: 'tier_gate' | 'approver' | 'exemption' | 'store' | 'interrupt' | 'agent';
  readonly message: string;
  /**
   * Text of what was thrown, where something was. It may hold anything that is known inside, such as an address with a
   * secret in it: it is for the log, and for nobody over HTTP.
   */
  readonly error?: string;
  readonly tool?: string;
  readonly toolUseId?: string;
  readonly origin?: CallOrigin;
}

/** A turn was ended by its budget. */
export interface TurnLimitEvent {
  readonly type: 'turn_limit';
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly limit: 'turns' | 'outputTokens' | 'totalTokens';
  readonly value: number;
  readonly origin?: CallOrigin;
}

/** What tau tells about itself; discriminated by `type`. */
export type AgentEvent = ToolCallEvent | ApprovalEvent | ErrorEvent | TurnLimitEvent;

/** Receives every event. A sink that throws, or rejects, changes nothing. */
export type EventSink = (event: AgentEvent) => void | Promise<void>;
