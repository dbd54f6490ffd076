import type { Admitted } from './admission.ts';
import type { ApprovalRecord, CallPosition, DecisionRecord } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import type { Approver, Decision } from './approver.ts';
import { type ApprovalRequest, type Principal, principalOf, TAU } from './call.ts';
import { type Consultation, consult } from './consult.ts';
import { definitionDigest, requestDigest } from './digest.ts';
import { TauError } from './errors.ts';
import { rememberRequest } from './own-requests.ts';
import type { Clock, Random } from './platform.ts';
import { type Policy, policyMayDecide } from './policy.ts';
import { replacementOf, wasEdited } from './replacement.ts';
import type { Reporter } from './reporter.ts';
import { silence } from './silence.ts';
import type { RefusalReason } from './verdict.ts';

/** What asking needs; the gate hands over its own. */
export interface QuestionContext {
  readonly store: ApprovalStore;
  readonly policy: Policy;
  readonly clock: Clock;
  readonly random: Random;
  readonly reporter: Reporter;
  readonly approver: Approver;
  readonly timeoutSeconds: number | undefined;
}

/** How a question ended: the record, as the store has it, and why it is not a person's plain no where it is not. */
export interface Asked {
  readonly record: ApprovalRecord;
  readonly because?: RefusalReason;
  /** Whether the record is of another question than the one that was asked first: a person changed the arguments. */
  readonly edited?: boolean;
}

/** What a record, and the model, are told when a question could be put to nobody. */
export const NOBODY = 'nobody who may decide could be reached';

/**
 * Puts one question: record first, then the approver, and in the end only what the record says counts. When a person
 * changes the arguments, the question that replaces it is followed, and asked if it is open.
 *
 * @param signal - Cancels the question.
 */
export async function ask(
  context: QuestionContext,
  admitted: Admitted,
  position: CallPosition | undefined,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  const record = newQuestion(context, admitted, position);
  let asked = await put(context, record, signal, 'new');
  while (wasEdited(asked.record)) {
    const edit = await replacementOf(context.store, asked.record);
    if (edit === undefined) return asked;
    const now = edit.status === 'pending' ? await put(context, edit, signal, 'stored') : { record: edit };
    asked = { ...now, edited: true };
  }
  return asked;
}

/** Puts one question, which is in the store already or is put there first. */
async function put(
  context: QuestionContext,
  record: ApprovalRecord,
  signal: AbortSignal | undefined,
  where: 'new' | 'stored',
): Promise<Asked> {
  const { store } = context;
  const { promise: elsewhere, resolve } = Promise.withResolvers<void>();
  let listening = true;
  const look = async (): Promise<void> => ((await changedElsewhere(store, record.id)) ? resolve() : undefined);
  const unwatch = store.watch((id) => {
    if (id === record.id && listening) void look();
  });
  try {
    await (where === 'new' ? store.create(record) : look());
    const consultation = await consult(context.approver, record.request, {
      clock: context.clock,
      ...(context.timeoutSeconds === undefined ? {} : { timeoutSeconds: context.timeoutSeconds }),
      ...(signal === undefined ? {} : { signal }),
      elsewhere,
      mayDecide: (principal) => policyMayDecide(context.policy, principal, record.request),
    });
    listening = false;
    return await settle(context, record, consultation);
  } finally {
    unwatch();
  }
}

async function changedElsewhere(store: ApprovalStore, id: string): Promise<boolean> {
  try {
    const record = await store.get(id);
    return record !== undefined && record.status !== 'pending';
  } catch {
    return false;
  }
}

/** A new open question about a call; nothing is stored yet. */
export function newQuestion(
  context: Pick<QuestionContext, 'random' | 'clock' | 'policy' | 'timeoutSeconds'>,
  { entry, call }: Admitted,
  position: CallPosition | undefined,
  id: string = context.random(),
): ApprovalRecord {
  const definition = definitionDigest(entry);
  const effect = effectText(entry.name, entry.effect, call.arguments);
  const subject = { id, tool: entry.name, tier: entry.tier, effect, arguments: call.arguments };
  const request: ApprovalRequest = Object.freeze({
    ...subject,
    digest: requestDigest({ ...subject, definition, requester: principalOf(call.origin).id }),
    ...(call.toolUseId === undefined ? {} : { toolUseId: call.toolUseId }),
    origin: call.origin,
  });
  rememberRequest(request, definition);
  const now = context.clock.now();
  return Object.freeze({
    id,
    kind: 'question',
    status: 'pending',
    request,
    definition,
    policyVersion: context.policy.version,
    ...(position === undefined ? {} : { position }),
    createdAt: now,
    ...(context.timeoutSeconds === undefined ? {} : { expiresAt: now + context.timeoutSeconds * 1000 }),
    deliveries: Object.freeze([]),
    updatedAt: now,
  });
}

function effectText(tool: string, effect: Admitted['entry']['effect'], args: Admitted['call']['arguments']): string {
  const text: unknown = typeof effect === 'function' ? effect(args) : effect;
  if (typeof text !== 'string') throw new TauError('effect', `the effect of tool '${tool}' is not text`);
  return text.toWellFormed();
}

async function settle(context: QuestionContext, record: ApprovalRecord, consultation: Consultation): Promise<Asked> {
  switch (consultation.type) {
    case 'answered':
      return answered(context, record, consultation);
    case 'parked':
    case 'decided_elsewhere':
      return { record: await reread(context.store, record) };
    case 'timeout':
      return timedOut(context, record);
    case 'cancelled':
      return closed(context, record, 'the call was cancelled', 'cancelled');
    case 'unreachable':
      context.reporter.fault('approver', unreachableText(record.request), record.request);
      return closed(context, record, NOBODY, 'no_approver');
    case 'failed':
      return failed(context, record, consultation.problem, consultation.error);
    default:
      return consultation satisfies never;
  }
}

/** Says who asked: by default only they may answer, and a caller that names nobody is anonymous. */
function unreachableText({ tool, origin }: ApprovalRequest): string {
  return `'${tool}', which '${principalOf(origin).id}' asked for, was refused: ${NOBODY}`;
}

function answered(
  context: QuestionContext,
  record: ApprovalRecord,
  answer: Extract<Consultation, { type: 'answered' }>,
): Promise<Asked> {
  if (answer.decision === 'timeout' || isLate(context, record)) return timedOut(context, record);
  const by = answer.by ?? principalOf(record.request.origin);
  if (answer.decision === 'approved' && !policyMayDecide(context.policy, by, record.request)) {
    return failed(context, record, `${by.kind} '${by.id}' may not approve this`);
  }
  return decide(context, record, answer.decision, by, answer.reason);
}

function timedOut(context: QuestionContext, record: ApprovalRecord): Promise<Asked> {
  return recordDecision(context, record, silence(record, context.clock.now()));
}

/** Whether time ran out although no timer has said so yet, as after the machine slept. */
function isLate(context: QuestionContext, record: ApprovalRecord): boolean {
  return record.expiresAt !== undefined && record.expiresAt <= context.clock.now();
}

async function failed(
  context: QuestionContext,
  record: ApprovalRecord,
  problem: string,
  error?: unknown,
): Promise<Asked> {
  const text = `approver '${context.approver.name}' failed: ${problem}`;
  context.reporter.fault('approver', text, { ...record.request, error });
  const asked = await decide(context, record, 'rejected', TAU);
  return asked.record.decision?.by.id === TAU.id ? { ...asked, because: 'approver_failed' } : asked;
}

/** Takes the question back; when somebody decided it meanwhile, that is what the record says. */
async function closed(
  context: QuestionContext,
  record: ApprovalRecord,
  text: string,
  because: 'cancelled' | 'no_approver',
): Promise<Asked> {
  const transition = await context.store.close(record.id, 'cancelled', context.clock.now(), text);
  if (transition.ok) return { record: transition.record, because };
  const after = await reread(context.store, record);
  return because === 'cancelled' ? { record: after, because } : { record: after };
}

async function decide(
  context: QuestionContext,
  record: ApprovalRecord,
  decision: Exclude<Decision, 'timeout'>,
  by: Principal,
  reason?: string,
): Promise<Asked> {
  const at = context.clock.now();
  const decided: DecisionRecord = {
    decision,
    by,
    channel: context.approver.name,
    at,
    tookMs: at - record.createdAt,
    ...(reason === undefined ? {} : { reason }),
  };
  return recordDecision(context, record, decided);
}

/** Writes a decision; when somebody was faster, theirs is what counts. Emits the `approval` event of one that won. */
export async function recordDecision(
  context: Pick<QuestionContext, 'store' | 'reporter'>,
  record: ApprovalRecord,
  decision: DecisionRecord,
): Promise<{ readonly record: ApprovalRecord; readonly won: boolean }> {
  const transition = await context.store.decide(record.id, Object.freeze(decision));
  if (!transition.ok) return { record: await reread(context.store, record), won: false };
  reportDecision(context.reporter, transition.record, decision);
  return { record: transition.record, won: true };
}

export function reportDecision(reporter: Reporter, { request }: ApprovalRecord, decision: DecisionRecord): void {
  reporter.emit({
    type: 'approval',
    at: decision.at,
    approvalId: request.id,
    tool: request.tool,
    tier: request.tier,
    effect: request.effect,
    arguments: request.arguments,
    digest: request.digest,
    ...(request.toolUseId === undefined ? {} : { toolUseId: request.toolUseId }),
    decision: decision.decision,
    approver: decision.channel,
    by: decision.by,
    ...(decision.reason === undefined ? {} : { reason: decision.reason }),
    durationMs: decision.tookMs,
    origin: request.origin,
  });
}

async function reread(store: ApprovalStore, record: ApprovalRecord): Promise<ApprovalRecord> {
  const now = await store.get(record.id);
  if (now?.id !== record.id) throw new TauError('store', `approval '${record.id}' is gone from the store`);
  return now;
}
