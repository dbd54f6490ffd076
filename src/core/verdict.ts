import type { Ticket } from './ticket.ts';

/**
 * Why a call does not run.
 *
 * | reason | meaning |
 * |---|---|
 * | `not_registered` | the catalog does not know the tool, or it was not made by tau for this gate |
 * | `tier_invalid` | the registered tool has no valid tier |
 * | `hidden` | this principal or this request may not see the tool |
 * | `invalid_arguments` | not plain JSON, or not what the schema accepts; nobody was asked |
 * | `rejected` | a person said no |
 * | `timeout` | nobody answered in time |
 * | `cancelled` | the run was cancelled, or the requester withdrew the question |
 * | `no_approver` | nobody can be asked here |
 * | `approver_failed` | the approver threw, answered nonsense, or the answer came from one who may not decide |
 * | `gate_failed` | something inside the gate, its policy or its store failed |
 * | `void` | tool, policy or stored arguments changed between question and answer |
 * | `already_used` | the ticket does not fit this call, or was used before |
 * | `unknown_outcome` | an earlier start of this call was cut off; it is not run again |
 */
export type RefusalReason =
  | 'not_registered'
  | 'tier_invalid'
  | 'hidden'
  | 'invalid_arguments'
  | 'rejected'
  | 'timeout'
  | 'cancelled'
  | 'no_approver'
  | 'approver_failed'
  | 'gate_failed'
  | 'void'
  | 'already_used'
  | 'unknown_outcome';

/** A call that does not run. `refusal` is the text for the model. */
export interface Refusal {
  readonly allowed: false;
  readonly approval: 'rejected' | 'timeout' | 'refused';
  readonly reason: RefusalReason;
  readonly refusal: string;
}

/**
 * The gate's answer to one call.
 *
 * | `allowed` | `approval` | what the caller does |
 * |---|---|---|
 * | `true` | `not_required` `approved` `exempt` | redeem the ticket, then run `ticket.call` |
 * | `false` | `rejected` `timeout` `refused` | hand `refusal` to the model, run nothing |
 * | `false` | `pending` | wait for a decision in the approval store, run nothing |
 */
export type Verdict =
  | { readonly allowed: true; readonly approval: 'not_required' | 'approved' | 'exempt'; readonly ticket: Ticket }
  | Refusal
  | { readonly allowed: false; readonly approval: 'pending'; readonly approvalId: string };

/** The text for the model when a person, or tau in their place, did not approve. */
export function refusalText(tool: string, reason?: string): string {
  const text = `The user did not approve this action: ${tool}. Do not perform it; tell the user briefly.`;
  return reason === undefined || reason === '' ? text : `${text}\nReason: ${reason}`;
}

/** The text for the model when the tool is not registered, or not for this caller. */
export function unknownToolText(tool: string): string {
  return `Tool '${tool}' is not registered; it was not run.`;
}

/** The text for the model when its input does not fit. */
export function invalidArgumentsText(tool: string, problem: string): string {
  return `The input for tool '${tool}' is not valid: ${problem}. It was not run; correct the input.`;
}

/** The text for the model when an earlier start of the same call was cut off. */
export function unknownOutcomeText(tool: string): string {
  return `The outcome of ${tool} is unknown: an earlier attempt was interrupted and may or may not have taken effect. It was not run again; tell the user, who can check and order a new attempt.`;
}

/** A refusal by tau itself, nobody having decided. */
export function refuse(reason: RefusalReason, refusal: string): Refusal {
  return Object.freeze({ allowed: false, approval: 'refused', reason, refusal });
}
