import type { Approver, ApproverContext, Decision } from './approver.ts';
import { type ApprovalRequest, freezePrincipal, type Principal } from './call.ts';
import type { Clock } from './platform.ts';

/** How asking one approver ended, before anything is believed. */
export type Consultation =
  | { readonly type: 'answered'; readonly decision: Decision; readonly reason?: string; readonly by?: Principal }
  | { readonly type: 'parked' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'timeout' }
  | { readonly type: 'cancelled' }
  | { readonly type: 'decided_elsewhere' }
  | { readonly type: 'failed'; readonly problem: string; readonly error?: unknown };

/**
 * Asks one approver and waits for the first of: its answer, the time limit, the call's cancellation, a decision made
 * elsewhere. Whatever loses is cancelled through the signal, and a late answer is dropped.
 */
export async function consult(
  approver: Approver,
  request: ApprovalRequest,
  limits: {
    readonly clock: Clock;
    readonly timeoutSeconds?: number;
    readonly signal?: AbortSignal;
    readonly elsewhere: Promise<void>;
    readonly mayDecide: (principal: Principal) => boolean;
  },
): Promise<Consultation> {
  if (limits.signal?.aborted) return { type: 'cancelled' };
  const question = new AbortController();
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<Consultation>();
  const onAbort = (): void => interrupt({ type: 'cancelled' });
  const stopTimer = startTimer(limits.clock, limits.timeoutSeconds, () => interrupt({ type: 'timeout' }));
  limits.signal?.addEventListener('abort', onAbort, { once: true });
  void limits.elsewhere.then(() => interrupt({ type: 'decided_elsewhere' }));
  const consultation = await Promise.race([
    interrupted,
    answerOf(approver, request, { signal: question.signal, mayDecide: limits.mayDecide }),
  ]);
  limits.signal?.removeEventListener('abort', onAbort);
  stopTimer();
  question.abort(reasonFor(consultation));
  return consultation;
}

/** What a channel that is still asking is told: it may say why the question is over. */
function reasonFor({ type }: Consultation): DOMException {
  return type === 'timeout' ? TIMED_OUT : OVER;
}

// Made once: an exception costs more than all the rest of a question that is answered at once.
const TIMED_OUT = new DOMException('The question was not answered in time', 'TimeoutError');
const OVER = new DOMException('The question is over', 'AbortError');

function startTimer(clock: Clock, seconds: number | undefined, onTimeout: () => void): () => void {
  return seconds === undefined ? () => undefined : clock.after(seconds * 1000, onTimeout);
}

async function answerOf(approver: Approver, request: ApprovalRequest, context: ApproverContext): Promise<Consultation> {
  try {
    const pending: unknown = approver.decide(request, context);
    if (!isThenable(pending)) return { type: 'failed', problem: 'decide() did not return a promise' };
    return readAnswer(await pending);
  } catch (error) {
    return { type: 'failed', problem: 'decide() failed', error };
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Reads an answer by the letter; what it does not recognise is a failure, never a yes. */
function readAnswer(answer: unknown): Consultation {
  if (isDecision(answer)) return { type: 'answered', decision: answer };
  if (typeof answer !== 'object' || answer === null) return { type: 'failed', problem: `answered ${String(answer)}` };
  // Own properties only, each read once: what an object inherits is nobody's answer.
  const values = ['parked', 'unreachable', 'decision', 'reason', 'by'].map((key) => ownValue(answer, key));
  const [parked, unreachable, decision, reason, by] = values;
  if (decision === undefined) return readWhere(parked, unreachable);
  if (!isDecision(decision)) return NO_DECISION;
  if (reason !== undefined && typeof reason !== 'string')
    return { type: 'failed', problem: 'gave a reason that is not text' };
  if (by !== undefined && !isPrincipal(by))
    return { type: 'failed', problem: 'named a decider that is not a principal' };
  return {
    type: 'answered',
    decision,
    ...(reason === undefined ? {} : { reason: reason.toWellFormed() }),
    ...(by === undefined ? {} : { by: freezePrincipal(by) }),
  };
}

/** An answer that says where to look for one. */
function readWhere(parked: unknown, unreachable: unknown): Consultation {
  if (parked === true && unreachable === undefined) return { type: 'parked' };
  return unreachable === true && parked === undefined ? { type: 'unreachable' } : NO_DECISION;
}

const NO_DECISION: Consultation = { type: 'failed', problem: 'answered something that is not a decision' };

function ownValue(answer: object, key: string): unknown {
  return Object.hasOwn(answer, key) ? Reflect.get(answer, key) : undefined;
}

function isDecision(value: unknown): value is Decision {
  return value === 'approved' || value === 'rejected' || value === 'timeout';
}

function isPrincipal(value: unknown): value is Principal {
  if (typeof value !== 'object' || value === null) return false;
  const { id, kind } = value as Partial<Record<'id' | 'kind', unknown>>;
  return typeof id === 'string' && (kind === 'person' || kind === 'service' || kind === 'agent');
}
