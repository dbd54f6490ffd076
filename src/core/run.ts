import { readCall, type ToolCall } from './call.ts';
import { type Checked, cancelledRefusal, checkCall } from './check.ts';
import { TauError } from './errors.ts';
import type { JSONValue } from './json.ts';
import type { AttemptOptions, Described, RunOptions } from './options.ts';
import { type CallOutcome, describeValue } from './outcome.ts';
import type { GateParts } from './parts.ts';
import type { RunningBody } from './running-bodies.ts';
import { storeEnd } from './store-end.ts';
import type { Ticket } from './ticket.ts';
import type { Redemption } from './tickets.ts';
import { reportCall } from './tool-call-event.ts';
import { type Refusal, refusalText, refuse } from './verdict.ts';

/** A tool body: gets the frozen arguments that were decided about. */
export type Body<T> = (args: JSONValue) => Promise<T>;

/**
 * The one way a body runs: check, lock, re-check cancellation, redeem, body, record. Never rejects; a body that
 * throws is an outcome, and whatever fails before the body refuses the call.
 */
export function runCall<T>(
  parts: GateParts,
  call: ToolCall,
  body: Body<T>,
  options: RunOptions<T>,
): Promise<CallOutcome<T>> {
  return new CallRun(parts, call, body, options).run();
}

/** Runs the stored call of a new attempt. Nothing of it is parsed again: what was approved is what runs. */
export async function runAttempt<T>(
  parts: GateParts,
  approvalId: string,
  body: Body<T>,
  options: AttemptOptions<T>,
): Promise<CallOutcome<T>> {
  let call: ToolCall = { tool: '(unknown)', arguments: null };
  try {
    const record = await parts.store.get(approvalId);
    if (record?.retryOf === undefined) return refusedUnseen(parts, call, refuse('void', refusalText(call.tool)));
    const { tool, arguments: args, toolUseId, origin } = record.request;
    call = { tool, arguments: args, origin, ...(toolUseId === undefined ? {} : { toolUseId }) };
  } catch (error) {
    return refusedUnseen(parts, call, gateFailed(parts, call, error));
  }
  return runCall(parts, call, body, { ...options, attempt: approvalId, parse: (input) => input });
}

function refusedUnseen<T>(parts: GateParts, call: ToolCall, refusal: Refusal): CallOutcome<T> {
  const outcome: CallOutcome<T> = { status: 'refused', refusal, durationMs: 0 };
  reportCall(parts, call, outcome);
  return outcome;
}

/** The refusal for a failure inside the gate, its policy or its store. */
export function gateFailed(parts: Pick<GateParts, 'reporter'>, call: ToolCall, error: unknown): Refusal {
  parts.reporter.fault('tier_gate', 'the gate failed', { ...call, error });
  return refuse('gate_failed', refusalText(String(call.tool)));
}

type Redeemed = Extract<Redemption, { status: 'redeemed' }>;

class CallRun<T> {
  readonly #parts: GateParts;
  readonly #body: Body<T>;
  readonly #options: RunOptions<T>;
  /** None when the clock failed at the start, and the call is refused. */
  #startedAt: number | undefined;
  /** The call as it came, and once it was admitted as it was understood. */
  #call: ToolCall;
  /** What the gate tells of the body, from when its ticket is redeemed. */
  #atWork: RunningBody | undefined;

  constructor(parts: GateParts, call: ToolCall, body: Body<T>, options: RunOptions<T>) {
    this.#parts = parts;
    this.#call = readCall(call);
    this.#body = body;
    this.#options = options;
  }

  /**
   * Goes through the gate, again when the yes grew too old before it could be used, and tells of the call; a parked one
   * is told when it ends. Only what has to wait is awaited: every further promise costs every call.
   */
  async run(): Promise<CallOutcome<T>> {
    let outcome: CallOutcome<T> | 'lapsed' = 'lapsed';
    for (let lapses = 0; outcome === 'lapsed'; lapses++) {
      this.#leave();
      try {
        this.#startedAt ??= this.#parts.clock.now();
        // Rules that change their mind at every look would keep the process here for ever.
        if (lapses > MOST_LAPSES) throw new TauError('lapsed', 'what permitted the call was withdrawn again and again');
        const { checked: found, call } = checkCall(this.#parts, this.#call, this.#options);
        this.#call = call;
        const checked = found instanceof Promise ? await found : found;
        outcome = checked.allowed ? await this.#underLock(checked.ticket) : this.#withoutBody(checked);
      } catch (error) {
        outcome = this.#refused(gateFailed(this.#parts, this.#call, error));
      }
    }
    this.#tell(outcome);
    return outcome;
  }

  #tell(outcome: CallOutcome<T>): void {
    try {
      reportCall(this.#parts, this.#call, outcome, this.#options.describe);
    } finally {
      this.#leave();
    }
  }

  #enter({ tool, toolUseId, origin }: ToolCall, approvalId: string | undefined): void {
    this.#atWork = {
      tool,
      ...(toolUseId === undefined ? {} : { toolUseId }),
      ...(origin === undefined ? {} : { origin }),
      ...(approvalId === undefined ? {} : { approvalId }),
    };
    this.#parts.atWork.begin(this.#atWork);
  }

  #leave(): void {
    const { atWork, late } = this.#parts;
    const body = this.#atWork;
    this.#atWork = undefined;
    // One whose end the store has not taken is at work until it has.
    if (body !== undefined && !(body.approvalId !== undefined && late.has(body.approvalId))) atWork.end(body);
  }

  #withoutBody(checked: Extract<Checked, { allowed: false }>): CallOutcome<T> {
    switch (checked.approval) {
      case 'pending':
        return { status: 'pending', approvalId: checked.approvalId };
      case 'replay': {
        const { id, outcome, status } = checked.record;
        return { status: 'replayed', result: outcome?.result, approvalId: id, failed: status === 'failed' };
      }
      default:
        return this.#refused(checked);
    }
  }

  async #underLock(ticket: Ticket): Promise<CallOutcome<T> | 'lapsed'> {
    const release = this.#lockAtOnce() ?? (await this.#waitForLock());
    if (release === undefined) return this.#cancelledAfterYes(ticket);
    try {
      if (this.#options.signal?.aborted) return await this.#cancelledAfterYes(ticket);
      const approvalId = this.#parts.tickets.approvalOf(ticket);
      return await (approvalId === undefined ? this.#redeemAndPerform(ticket) : this.#marked(approvalId, ticket));
    } finally {
      release();
    }
  }

  /** Marks the approval as in use here before it is consumed: who sees it consumed must not take it for lost. */
  async #marked(approvalId: string, ticket: Ticket): Promise<CallOutcome<T> | 'lapsed'> {
    const { running } = this.#parts;
    if (running.has(approvalId)) return this.#redeemAndPerform(ticket);
    running.add(approvalId);
    try {
      return await this.#redeemAndPerform(ticket);
    } finally {
      if (!this.#parts.late.has(approvalId)) running.delete(approvalId);
    }
  }

  /** The lock of tier 2 where it is free; nothing to give back where there is none to take. */
  #lockAtOnce(): (() => void) | undefined {
    const physical = this.#parts.catalog.get(this.#call.tool)?.tier === 2;
    return physical && this.#options.lock !== false ? this.#parts.bodies.tryAcquire('') : NO_LOCK;
  }

  async #waitForLock(): Promise<(() => void) | undefined> {
    const { bodies, clock, reporter } = this.#parts;
    const warn = (): void => reporter.warn(LONG_WAIT, { tool: this.#call.tool });
    const stop = clock.after(LONG_WAIT_MS, warn);
    try {
      return await bodies.acquire('', this.#options.signal);
    } finally {
      stop();
    }
  }

  /** A yes that came too late: the approval must not be left for anybody to use. */
  async #cancelledAfterYes(ticket: Ticket): Promise<CallOutcome<T>> {
    await this.#parts.tickets.cancel(ticket, 'the call was cancelled before it started');
    return this.#refused(cancelledRefusal(this.#call.tool));
  }

  #notRedeemed(status: string): CallOutcome<T> {
    const { tool } = this.#call;
    this.#parts.reporter.fault('tier_gate', `the ticket for '${tool}' could not be redeemed: ${status}`, this.#call);
    return this.#refused(refuse('already_used', refusalText(tool)));
  }

  async #redeemAndPerform(ticket: Ticket): Promise<CallOutcome<T> | 'lapsed'> {
    this.#enter(ticket.call, this.#parts.tickets.approvalOf(ticket));
    const redeeming = this.#parts.tickets.redeem(ticket, ticket.call);
    const redemption = redeeming instanceof Promise ? await redeeming : redeeming;
    if (redemption.status === 'lapsed') return 'lapsed';
    if (redemption.status !== 'redeemed') return this.#notRedeemed(redemption.status);
    this.#call = ticket.call;
    if (!this.#options.signal?.aborted) return await this.#perform(ticket.call.arguments, redemption);
    await this.#store(redemption, FAILED);
    return this.#refused(cancelledRefusal(ticket.call.tool), redemption.approvalId);
  }

  async #perform(args: JSONValue, redeemed: Redeemed): Promise<CallOutcome<T>> {
    const { approval, approvalId } = redeemed;
    const how = approvalId === undefined ? { approval } : { approval, approvalId };
    try {
      const value = await this.#body(args);
      if (approvalId !== undefined) await this.#store(redeemed, describeValue(value, this.#options.describe));
      return { status: 'success', value, ...how, durationMs: this.#took() };
    } catch (error) {
      if (approvalId === undefined && this.#options.suspends?.(error) === true) return { status: 'suspended', error };
      await this.#store(redeemed, FAILED);
      return { status: 'error', error, ...how, durationMs: this.#took() };
    }
  }

  /** Stores how the body ended. */
  async #store({ approvalId, nonce }: Redeemed, described: Described): Promise<void> {
    if (approvalId === undefined) return;
    await storeEnd(this.#parts, { call: this.#call, body: this.#atWork, approvalId, nonce, described });
  }

  #refused(refusal: Refusal, approvalId?: string): CallOutcome<T> {
    return {
      status: 'refused',
      refusal,
      ...(approvalId === undefined ? {} : { approvalId }),
      durationMs: this.#took(),
    };
  }

  #took(): number {
    const { steady } = this.#parts;
    return this.#startedAt === undefined ? 0 : Math.max(0, steady.now() - this.#startedAt);
  }
}

const MOST_LAPSES = 100;
const NO_LOCK = (): void => undefined;

const LONG_WAIT_MS = 30_000;
const LONG_WAIT =
  'a tier-2 call has waited 30 seconds for another tier-2 body; a body that calls a tier-2 tool of its own gate waits for itself';

const FAILED: Described = { status: 'error', summary: '' };
