import type { ApprovalStore } from './approval-store.ts';
import { AutoRejectApprover } from './approver.ts';
import { type CallOrigin, freezeOrigin, readCall, type ToolCall } from './call.ts';
import { type CancelInput, type CancelResult, cancelApproval } from './cancel.ts';
import type { ToolCatalog } from './catalog.ts';
import { checkCall } from './check.ts';
import { checkOptions } from './check-options.ts';
import { type DecideResult, type DecisionInput, decideApproval, expireApprovals } from './decide.ts';
import { type Desk, isDeskApprover } from './desk.ts';
import { type EditInput, type EditResult, editApproval } from './edit.ts';
import { ConfigError } from './errors.ts';
import type { ErrorEvent, EventSink } from './events.ts';
import { type Exemption, Exemptions } from './exemptions.ts';
import type { Language } from './i18n.ts';
import type { JSONValue } from './json.ts';
import { lapseApprovals } from './lapse.ts';
import { LateOutcomes } from './late-outcomes.ts';
import { MemoryApprovalStore } from './memory-store.ts';
import {
  type AttemptOptions,
  type CheckOptions,
  gateOptionKinds,
  type RunOptions,
  type TierGateOptions,
} from './options.ts';
import type { CallOutcome } from './outcome.ts';
import type { GateParts } from './parts.ts';
import { type Clock, consoleLogger, steadyClock, systemClock, systemRandom } from './platform.ts';
import { defaultPolicy, type Policy, policyMayDecide } from './policy.ts';
import { type Recovered, recoverStore } from './recover.ts';
import { Reporter } from './reporter.ts';
import { type RetryInput, type RetryResult, retryApproval } from './retry.ts';
import { gateFailed, runAttempt, runCall } from './run.ts';
import { RunningBodies, type RunningBody } from './running-bodies.ts';
import { KeyedQueue } from './serial.ts';
import type { Ticket } from './ticket.ts';
import { TicketBox } from './tickets.ts';
import { reportCall } from './tool-call-event.ts';
import { refusalText, refuse, type Verdict } from './verdict.ts';

/**
 * The policy of tau: decides whether one call may run, must wait for a person, or must not run. The agent loop, the
 * MCP server and the reflex engine all use the same gate, through `run`.
 */
export class TierGate {
  readonly language: Language;
  readonly #parts: GateParts;

  /**
   * @throws ConfigError when an option does not exist or is none that fits, or the approver is an inbox that serves
   *   another gate.
   */
  constructor(options: TierGateOptions) {
    checkOptions('TierGate', options, gateOptionKinds);
    this.language = options.language ?? 'en';
    this.#parts = assemble(options);
    const { approver } = this.#parts;
    if (isDeskApprover(approver)) approver.attach(this.#desk());
    if (options.approver === undefined)
      this.#parts.reporter.warn('no approver is configured: every tier-2 call will be refused');
  }

  /** The tools this gate knows. */
  get catalog(): ToolCatalog {
    return this.#parts.catalog;
  }

  /** Where its approvals are kept. */
  get store(): ApprovalStore {
    return this.#parts.store;
  }

  /** Who sees and decides what. */
  get policy(): Policy {
    return this.#parts.policy;
  }

  /** The clock it lives by. */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** Decides about one call. Never rejects: whatever fails inside refuses the call. */
  async check(given: ToolCall, options: CheckOptions = {}): Promise<Verdict> {
    const call = readCall(given);
    try {
      const checked = await checkCall(this.#parts, call, options).checked;
      return checked.approval === 'replay' ? refuse('already_used', refusalText(call.tool)) : checked;
    } catch (error) {
      return gateFailed(this.#parts, call, error);
    }
  }

  /**
   * Uses up a ticket. Only `true` permits the body to start, and it is answered at most once per ticket; with a
   * durable store, also across processes.
   *
   * @param given - What is about to run; must be the ticket's call: same tool, id, conversation and arguments.
   */
  async redeem(ticket: Ticket, given: ToolCall): Promise<boolean> {
    const call = readCall(given);
    try {
      const { status } = await this.#parts.tickets.redeem(ticket, call);
      if (status !== 'redeemed')
        this.#parts.reporter.fault('tier_gate', `a ticket for '${call.tool}' could not be redeemed: ${status}`, call);
      return status === 'redeemed';
    } catch (error) {
      gateFailed(this.#parts, call, error);
      return false;
    }
  }

  /**
   * Checks, locks, re-checks cancellation, redeems, runs and records one call: the only way a body should be run.
   * Never rejects; a body that throws is an outcome.
   *
   * @param body - Gets the frozen arguments that were approved.
   */
  run<T>(call: ToolCall, body: (args: JSONValue) => Promise<T>, options: RunOptions<T> = {}): Promise<CallOutcome<T>> {
    return runCall(this.#parts, call, body, options);
  }

  /** Emits the `tool_call` event of a call that did not go through `run`. */
  record(call: ToolCall, outcome: CallOutcome<unknown>): void {
    reportCall(this.#parts, readCall(call), outcome);
  }

  /** Lets calls for which `exemption` returns exactly `true` run without a question; returns its undo. */
  addExemption(exemption: Exemption): () => void {
    return this.#parts.exemptions.add(exemption);
  }

  /**
   * Records somebody's decision on an open question, from any channel. The first one wins; a later one gets the
   * winner's record. Rejects only when the store is broken or the input is no decision.
   */
  decide(approvalId: string, input: DecisionInput): Promise<DecideResult> {
    return decideApproval(this.#parts, approvalId, input);
  }

  /**
   * Approves a question with other arguments: the question becomes void and the edit one of its own, which is approved
   * in the same step only when nothing about it needs to be shown first. Rejects only when the store is broken.
   */
  edit(approvalId: string, input: EditInput): Promise<EditResult> {
    return editApproval(this.#parts, approvalId, input);
  }

  /**
   * Withdraws a question, or a yes that was not used yet, for its requester or somebody who may decide it. A call that
   * waits for it is refused. Rejects only when the store is broken.
   */
  cancel(approvalId: string, input: CancelInput): Promise<CancelResult> {
    return cancelApproval(this.#parts, approvalId, input);
  }

  /**
   * Orders a new attempt of an approval whose outcome is unknown: a new record with the same call, approved by the person
   * who ordered it. One for each approval, whoever asks and wherever. Nothing runs yet; `attempt` runs it. Rejects only
   * when the store is broken.
   */
  retry(approvalId: string, input: RetryInput): Promise<RetryResult> {
    return retryApproval(this.#parts, approvalId, input);
  }

  /**
   * Runs a new attempt that `retry` ordered, at most once: the same checks, lock, redeeming and record as `run`, with the
   * stored call and by its requester. Asks nobody: one that no longer holds is refused. Never rejects.
   *
   * @param approvalId - Id of the record that `retry` made.
   */
  attempt<T>(
    approvalId: string,
    body: (args: JSONValue) => Promise<T>,
    options: AttemptOptions<T> = {},
  ): Promise<CallOutcome<T>> {
    return runAttempt(this.#parts, approvalId, body, options);
  }

  /**
   * Times out the open questions whose time has passed, and tells of each; closes as `expired` every yes that was not used
   * in time. Returns the ids of both. What waits in this process finds that out by itself; call this for what is parked,
   * from a timer.
   */
  async expire(): Promise<readonly string[]> {
    return [...(await expireApprovals(this.#parts)), ...(await lapseApprovals(this.#parts))];
  }

  /**
   * Says of every approval that was used up and has not ended that nobody will know how it ended, and cancels ordered
   * attempts that never started, so that both can be ordered anew. For the start of a process that is alone on its store;
   * anywhere else it would take the bodies of others for lost.
   */
  recover(): Promise<Recovered> {
    return recoverStore(this.#parts);
  }

  /**
   * The bodies that are at work in this process: each from before its approval is used up until its end is recorded and
   * told. Whoever closes the store before they are over loses how they ended.
   */
  get running(): readonly RunningBody[] {
    return this.#parts.atWork.list();
  }

  /** Whether a body is at work in this process, or one of the run with this id. */
  isAtWork(run?: string): boolean {
    return this.#parts.atWork.isAtWork(run);
  }

  /** Resolves once no body is at work in this process, or none of the run with this id. */
  idle(run?: string): Promise<void> {
    return this.#parts.atWork.idle(run);
  }

  /** Offers the store once more what it could not take of how bodies ended; before it is closed. */
  flush(): Promise<void> {
    return this.#parts.late.flush();
  }

  /** Adds an event sink; returns its undo. */
  subscribe(sink: EventSink): () => void {
    return this.#parts.reporter.subscribe(sink);
  }

  /** Emits an `error` event: something that a person should look at. Hand over what was thrown as `error`, not in the text. */
  reportError(
    where: ErrorEvent['where'],
    text: string,
    about: { tool?: string; toolUseId?: string; origin?: CallOrigin; error?: unknown } = {},
  ): void {
    this.#parts.reporter.fault(where, text, about);
  }

  /** Logs a warning about the set-up. */
  warn(text: string): void {
    this.#parts.reporter.warn(text);
  }

  /** What an approver gets that hands over other people's answers. */
  #desk(): Desk {
    const { store, clock, policy, reporter } = this.#parts;
    return Object.freeze({
      store,
      clock,
      decide: (id, input) => this.decide(id, input),
      edit: (id, input) => this.edit(id, input),
      mayDecide: (principal, request) => policyMayDecide(policy, principal, request),
      report: (problem, { tool, toolUseId, origin }, error) =>
        reporter.fault('approver', problem, { tool, ...(toolUseId === undefined ? {} : { toolUseId }), origin, error }),
    } satisfies Desk);
  }

  /** Emits the `turn_limit` event of a turn that its budget ended. */
  reportTurnLimit(limit: 'turns' | 'outputTokens' | 'totalTokens', value: number, origin: CallOrigin): void {
    this.#parts.reporter.emit({
      type: 'turn_limit',
      at: this.#parts.steady.now(),
      limit,
      value,
      origin: freezeOrigin(origin),
    });
  }
}

function assemble(options: TierGateOptions): GateParts {
  const clock = options.clock ?? systemClock;
  const steady = steadyClock(clock);
  const random = options.random ?? systemRandom;
  const store = options.store ?? new MemoryApprovalStore();
  const approver = options.approver ?? new AutoRejectApprover();
  const reporter = new Reporter({
    sinks: options.sinks ?? [],
    logger: options.logger ?? consoleLogger,
    redact: options.redact ?? [],
    clock: steady,
  });
  const useWithinSeconds = seconds('useWithinSeconds', options.useWithinSeconds) ?? 600;
  const policy = options.policy ?? defaultPolicy;
  const exemptions = new Exemptions((error, tool) =>
    reporter.fault('exemption', 'an exemption failed', { tool, error }),
  );
  return {
    catalog: options.catalog,
    policy,
    store,
    clock,
    steady,
    random,
    reporter,
    approver,
    timeoutSeconds: seconds('timeoutSeconds', options.timeoutSeconds ?? approver.timeoutSeconds),
    exemptions,
    tickets: new TicketBox({ catalog: options.catalog, store, clock, random, useWithinSeconds, policy, exemptions }),
    questions: new KeyedQueue(),
    bodies: new KeyedQueue(),
    running: new Set(),
    atWork: new RunningBodies(),
    late: new LateOutcomes(steady),
  };
}

function seconds(name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isFinite(value) && value > 0)) return value;
  throw new ConfigError(`${name} is ${value}; give a positive number of seconds, or leave it out for no limit`);
}
