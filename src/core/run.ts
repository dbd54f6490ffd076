import type { ToolCall } from './call.ts';
import { type Checked, cancelledRefusal, checkCall } from './check.ts';
import { errorText } from './errors.ts';
import type { JSONValue } from './json.ts';
import type { Described, RunOptions } from './options.ts';
import { type CallOutcome, summarize } from './outcome.ts';
import type { GateParts } from './parts.ts';
import type { Ticket } from './ticket.ts';
import type { Redemption } from './tickets.ts';
import { reportCall } from './tool-call-event.ts';
import { type Refusal, refusalText, refuse } from './verdict.ts';

/**
 * The one way a body runs: check, lock, re-check cancellation, redeem, body, record. Never rejects; a body that
 * throws is an outcome, and whatever fails before the body refuses the call.
 */
export async function runCall<T>(
  parts: GateParts,
  call: ToolCall,
  body: (args: JSONValue) => Promise<T>,
  options: RunOptions<T>,
): Promise<CallOutcome<T>> {
  const startedAt = parts.clock.now();
  for (;;) {
    const outcome = await attempt(parts, call, body, options, startedAt);
    if (outcome === 'lapsed') continue;
    if (outcome.status !== 'pending')
      reportCall(parts, call, outcome, options.describe as ((value: unknown) => Described) | undefined);
    return outcome;
  }
}

async function attempt<T>(
  parts: GateParts,
  call: ToolCall,
  body: (args: JSONValue) => Promise<T>,
  options: RunOptions<T>,
  startedAt: number,
): Promise<CallOutcome<T> | 'lapsed'> {
  const refused = (refusal: Refusal): CallOutcome<T> => ({
    status: 'refused',
    refusal,
    durationMs: parts.clock.now() - startedAt,
  });
  const verdict = await safely(parts, call, () => checkCall(parts, call, options));
  if (!verdict.allowed) return endWithoutBody(verdict, refused);
  const { ticket } = verdict;
  const release = await takeLock(parts, call, options);
  if (release === undefined) return refused(await cancelledAfterYes(parts, ticket));
  try {
    if (options.signal?.aborted) return refused(await cancelledAfterYes(parts, ticket));
    const redemption = await safely(parts, call, () => parts.tickets.redeem(ticket, ticket.call));
    if (!('status' in redemption)) return refused(redemption);
    if (redemption.status === 'lapsed') return 'lapsed';
    if (redemption.status !== 'redeemed') return refused(notRedeemed(parts, call, redemption));
    return await perform(parts, ticket, redemption, body, options, startedAt);
  } finally {
    release();
  }
}

function endWithoutBody<T>(
  verdict: Extract<Checked, { allowed: false }>,
  refused: (refusal: Refusal) => CallOutcome<T>,
): CallOutcome<T> {
  switch (verdict.approval) {
    case 'pending':
      return { status: 'pending', approvalId: verdict.approvalId };
    case 'replay':
      return {
        status: 'replayed',
        result: verdict.record.outcome?.result,
        approvalId: verdict.record.id,
        failed: verdict.record.status === 'failed',
      };
    default:
      return refused(verdict);
  }
}

/** Whatever throws inside the gate refuses the call and is told. */
async function safely<T>(parts: GateParts, call: ToolCall, step: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await step();
  } catch (error) {
    return gateFailed(parts, call, error);
  }
}

/** The refusal for a failure inside the gate, its policy or its store. */
export function gateFailed(parts: GateParts, call: ToolCall, error: unknown): Refusal {
  parts.reporter.fault('tier_gate', `the gate failed: ${errorText(error)}`, call);
  return refuse('gate_failed', refusalText(String(call.tool)));
}

function notRedeemed(parts: GateParts, call: ToolCall, redemption: Redemption): Refusal {
  parts.reporter.fault('tier_gate', `the ticket for '${call.tool}' could not be redeemed: ${redemption.status}`, call);
  return refuse('already_used', refusalText(call.tool));
}

const NO_LOCK = (): void => undefined;

async function takeLock<T>(
  parts: GateParts,
  call: ToolCall,
  options: RunOptions<T>,
): Promise<(() => void) | undefined> {
  if (options.lock === false || parts.catalog.get(call.tool)?.tier !== 2) return NO_LOCK;
  return parts.bodies.acquire('', options.signal);
}

/** A yes that came too late: the approval must not be left for anybody to use. */
async function cancelledAfterYes(parts: GateParts, ticket: Ticket): Promise<Refusal> {
  const { call } = ticket;
  return safely(parts, call, async () => {
    await parts.tickets.cancel(ticket, 'the call was cancelled before it started');
    return cancelledRefusal(call.tool);
  });
}

async function perform<T>(
  parts: GateParts,
  { call }: Ticket,
  { approvalId, approval, nonce }: Extract<Redemption, { status: 'redeemed' }>,
  body: (args: JSONValue) => Promise<T>,
  options: RunOptions<T>,
  startedAt: number,
): Promise<CallOutcome<T>> {
  const stored = approvalId === undefined ? {} : { approvalId };
  if (approvalId !== undefined) parts.running.add(approvalId);
  try {
    if (options.signal?.aborted) {
      await finish(parts, call, approvalId, nonce, () => FAILED);
      return {
        status: 'refused',
        refusal: cancelledRefusal(call.tool),
        ...stored,
        durationMs: parts.clock.now() - startedAt,
      };
    }
    const value = await body(call.arguments);
    await finish(parts, call, approvalId, nonce, () => describe(value, options));
    return { status: 'success', value, approval, ...stored, durationMs: parts.clock.now() - startedAt };
  } catch (error) {
    await finish(parts, call, approvalId, nonce, () => FAILED);
    return { status: 'error', error, approval, ...stored, durationMs: parts.clock.now() - startedAt };
  } finally {
    if (approvalId !== undefined) parts.running.delete(approvalId);
  }
}

function describe<T>(value: T, options: RunOptions<T>): Described {
  return options.describe === undefined ? { status: 'success', summary: summarize(value) } : options.describe(value);
}

const FAILED: Described = { status: 'error', summary: '' };

/** Stores how the body ended. A store that fails here leaves the record consumed, so nothing runs it again. */
async function finish(
  parts: GateParts,
  call: ToolCall,
  approvalId: string | undefined,
  nonce: string,
  describeEnd: () => Described,
): Promise<void> {
  if (approvalId === undefined) return;
  try {
    const end = describeEnd();
    const status = end.status === 'success' ? 'done' : 'failed';
    await parts.store.finish(approvalId, nonce, {
      status,
      at: parts.clock.now(),
      ...(end.result === undefined ? {} : { result: end.result() }),
    });
  } catch (error) {
    parts.reporter.fault('store', `the outcome of '${call.tool}' could not be stored: ${errorText(error)}`, call);
  }
}
