import type { Answer, Approver } from '../core/approver.ts';
import type { ApprovalRequest } from '../core/call.ts';

/**
 * One entry of an approver's script.
 *
 * | entry | what happens |
 * |---|---|
 * | an `Answer` | it is given, at once |
 * | a function | it is called with the request and its signal; what it returns, or throws, is the answer |
 */
export type ScriptedAnswer =
  | Answer
  | ((request: ApprovalRequest, context: { readonly signal: AbortSignal }) => Answer | Promise<Answer>);

/**
 * An approver for tests: answers from a script, in order, and records what it was asked. A script that runs out
 * rejects, so nothing is approved that the test did not write down; there is no way to approve by default.
 *
 * @example
 * ```ts
 * const approver = new ScriptedApprover([Decision.Approved, { decision: 'rejected', reason: 'not now' }]);
 * const gate = new TierGate({ catalog, approver });
 * // … two calls …
 * expect(approver.requests.map((request) => request.arguments)).toEqual([{ door: 'front' }, { door: 'back' }]);
 * ```
 */
export class ScriptedApprover implements Approver {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly #script: readonly ScriptedAnswer[];
  readonly #requests: ApprovalRequest[] = [];

  /**
   * @param script - The answers, first to last; each is given once.
   * @param options - `name` for records and logs (default `scripted`); `timeoutSeconds` as an approver states it.
   */
  constructor(script: readonly ScriptedAnswer[], options: { name?: string; timeoutSeconds?: number } = {}) {
    this.#script = [...script];
    this.name = options.name ?? 'scripted';
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
  }

  /** Everything that was asked, in order. */
  get requests(): readonly ApprovalRequest[] {
    return [...this.#requests];
  }

  /** How many entries of the script have not been used. */
  get remaining(): number {
    return Math.max(this.#script.length - this.#requests.length, 0);
  }

  async decide(request: ApprovalRequest, context: { readonly signal: AbortSignal }): Promise<Answer> {
    const entry = this.#script[this.#requests.length];
    this.#requests.push(request);
    if (entry === undefined) return 'rejected';
    return typeof entry === 'function' ? entry(request, context) : entry;
  }
}
