import type { ApprovalStore } from './approval-store.ts';
import type { Approver } from './approver.ts';
import type { ApprovalRequest, Principal } from './call.ts';
import type { DecideResult, DecisionInput } from './decide.ts';
import type { EditInput, EditResult } from './edit.ts';
import type { Clock } from './platform.ts';

/** What a gate lends to an approver that hands over other people's answers instead of answering itself. */
export interface Desk {
  readonly store: ApprovalStore;
  readonly clock: Clock;
  /** `TierGate.decide`. */
  decide(approvalId: string, input: DecisionInput): Promise<DecideResult>;
  /** `TierGate.edit`. */
  edit(approvalId: string, input: EditInput): Promise<EditResult>;
  /** Whether the policy lets this principal answer; never an agent. */
  mayDecide(principal: Principal, request: ApprovalRequest): boolean;
  /**
   * Tells of something that went wrong and that a person should look at.
   *
   * @param error - What was thrown; its text goes to the log and to nobody over HTTP, so it must not be in `problem`.
   */
  report(problem: string, about: ApprovalRequest, error?: unknown): void;
}

/** An approver that works at a gate's desk. The gate binds it to itself when it is made. */
export interface DeskApprover extends Approver {
  /** @throws ConfigError when it is bound already: one approver of this kind serves one gate. */
  attach(desk: Desk): void;
}

/** Whether an approver wants to be bound to its gate. */
export function isDeskApprover(approver: Approver): approver is DeskApprover {
  return 'attach' in approver && typeof approver.attach === 'function';
}
