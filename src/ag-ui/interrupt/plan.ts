import type { ResumeEntry } from '@ag-ui/core';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { TierGate } from '../../core/gate.ts';
import { isJsonObject, type JSONValue, jsonEquals } from '../../core/json.ts';
import { RunError } from '../run-error.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { type ApprovalAnswer, checkEntries, readApprovalAnswer, readPayload } from './answer.ts';
import { readBookkeeping } from './bookkeeping.ts';
import { INTERRUPT_CANCELLED } from './cancelled.ts';
import { resumeFingerprint } from './fingerprint.ts';
import { interruptOnCallReason } from './interrupt-on-call.ts';
import { CALL_SCHEMA } from './publish.ts';
import { type Answerer, mayEverDecide } from './standing.ts';
import { type NativeQuestion, type Waiting, whatWaits } from './waiting.ts';

/** An answer to an interrupt that a hook or tool of the developer raised. */
export interface NativeAnswer {
  readonly interruptId: string;
  readonly response: JSONValue;
}

/** A validated answer to a tau approval. */
export interface ApprovalEntry {
  readonly record: ApprovalRecord;
  readonly answer: ApprovalAnswer;
}

/**
 * What a request means for a thread.
 *
 * | type | meaning |
 * |---|---|
 * | `prompt` | a plain turn on a thread that waits for nothing |
 * | `pending` | a plain turn on a thread that waits: it is told for what, and refused |
 * | `replay` | the same resume as the last one that finished: answered again, nothing runs |
 * | `decided` | everything it answers was decided and carried on elsewhere, or is lost: it is told so, nothing runs |
 * | `resume` | the waiting calls go on |
 */
export type Plan =
  | { readonly type: 'prompt' }
  | { readonly type: 'pending'; readonly waiting: Waiting }
  | { readonly type: 'replay' }
  | {
      readonly type: 'decided';
      readonly records: readonly ApprovalRecord[];
      /** Ids of questions that nobody can decide any more. */
      readonly lost: readonly string[];
    }
  | {
      readonly type: 'resume';
      readonly fingerprint: string;
      readonly approvals: readonly ApprovalEntry[];
      readonly natives: readonly NativeAnswer[];
      readonly lost: readonly string[];
    };

/**
 * Reads a request against what the thread waits for. Nothing is decided here; a request that does not fit is refused
 * with its code before anything is.
 */
export async function planRun(
  thread: ThreadAgent,
  conversation: string,
  answerer: Answerer,
  entries: readonly ResumeEntry[],
): Promise<Plan> {
  const waiting = await whatWaits(thread, conversation);
  const waits = waiting.parked || waiting.natives.size > 0;
  if (entries.length === 0) return waits ? { type: 'pending', waiting } : { type: 'prompt' };
  const fingerprint = resumeFingerprint(entries);
  const again = !waits && parkedReplay(entries, waiting);
  if (again !== false) return { type: 'resume', fingerprint, approvals: [], natives: again, lost: [] };
  const finished = readBookkeeping(thread.agent).lastResumeFingerprint === fingerprint;
  // An id can come back in another turn: what is open now is answered, whatever was answered then.
  if (finished && !waits) return replayed(thread, conversation, entries);
  const plan = await planResume(thread, conversation, entries, waiting);
  if (plan.type === 'resume') checkRight(answerer, plan.natives, waiting);
  return plan;
}

/** `interruptOnCall` has no policy, but its yes is a decision too: it takes a credential that lets somebody decide. */
function checkRight(answerer: Answerer, natives: readonly NativeAnswer[], waiting: Waiting): void {
  if (mayEverDecide(answerer)) return;
  const permits = ({ interruptId, response }: NativeAnswer): boolean => {
    const native = waiting.natives.get(interruptId);
    return native !== undefined && isCallQuestion(native) && isJsonObject(response) && response.approved === true;
  };
  if (natives.some(permits)) throw new RunError('FORBIDDEN_ANSWER');
}

/** A repeated answer that had not counted the first time is told so again. */
async function replayed(
  { guarded }: ThreadAgent,
  conversation: string,
  entries: readonly ResumeEntry[],
): Promise<Plan> {
  const known = await approvalsOf(guarded?.gate, conversation, entries);
  const records = entries.flatMap((entry) => {
    const record = known.get(entry.interruptId);
    return record === undefined || !cameLate(readApprovalAnswer(entry), record) ? [] : [record];
  });
  return records.length === 0 ? { type: 'replay' } : { type: 'decided', records, lost: [] };
}

/** Whether something else than an answer says is what counts. */
function cameLate({ decision: answered }: ApprovalAnswer, { status, decision }: ApprovalRecord): boolean {
  if (status === 'cancelled') return answered !== 'cancelled';
  const counts = answered === 'cancelled' ? 'rejected' : answered;
  return decision !== undefined && decision.decision !== counts;
}

async function planResume(
  { guarded }: ThreadAgent,
  conversation: string,
  entries: readonly ResumeEntry[],
  waiting: Waiting,
): Promise<Plan> {
  const fingerprint = resumeFingerprint(entries);
  const known = await approvalsOf(guarded?.gate, conversation, entries);
  const isKnown = (id: string): boolean => known.has(id) || waiting.natives.has(id) || waiting.lost.has(id);
  const unknown = entries.filter(({ interruptId }) => !isKnown(interruptId));
  if (unknown.length > 0) throw unknownInterrupts(unknown, waiting);
  const missing = unanswered(entries, waiting);
  if (missing.length > 0) throw new RunError('PARTIAL_RESUME', [missing.join(', ')]);
  checkEntries(entries);
  const approvals = entries.flatMap((entry) => {
    const record = known.get(entry.interruptId);
    return record === undefined ? [] : [{ record, answer: readApprovalAnswer(entry) }];
  });
  const natives = entries.flatMap((entry) => nativeAnswer(entry, waiting));
  const lost = entries.map(({ interruptId }) => interruptId).filter((id) => waiting.lost.has(id));
  if (waiting.parked || natives.length > 0) return { type: 'resume', fingerprint, approvals, natives, lost };
  return { type: 'decided', records: approvals.map(({ record }) => record), lost };
}

/**
 * The answers of calls that were answered and did not get on, when a request repeats exactly these.
 *
 * @returns `false` when it does not.
 */
function parkedReplay(entries: readonly ResumeEntry[], { answered }: Waiting): readonly NativeAnswer[] | false {
  if (entries.length !== answered.size) return false;
  const answers: NativeAnswer[] = [];
  for (const entry of entries) {
    const { interruptId } = entry;
    const recorded = answered.get(interruptId);
    if (recorded?.response === undefined || !repeats(entry, recorded, recorded.response)) return false;
    if (answers.some((answer) => answer.interruptId === interruptId)) return false;
    answers.push({ interruptId, response: recorded.response });
  }
  return answers;
}

/** Answers that were recorded before they had an envelope count too. */
function repeats(entry: ResumeEntry, question: NativeQuestion, recorded: JSONValue): boolean {
  if (entry.status === 'cancelled') return jsonEquals(recorded, responseTo(entry, question));
  const bare = readPayload(entry, undefined);
  return jsonEquals(recorded, bare) || (!isCallQuestion(question) && jsonEquals(recorded, { response: bare }));
}

/**
 * What is open, was shown to the client, and is not among the entries. A question that took the place of another, because
 * somebody edited it or asked anew elsewhere, is not missing: the client gets it when the run stops again.
 */
function unanswered(entries: readonly ResumeEntry[], waiting: Waiting): readonly string[] {
  const answered = new Set(entries.map(({ interruptId }) => interruptId));
  const shown = [...waiting.approvals.keys()].filter((id) => waiting.published.has(id));
  return [...waiting.natives.keys(), ...shown].filter((id) => !answered.has(id)).sort();
}

/** The approvals of this conversation that the entries name, open or not. */
async function approvalsOf(
  gate: TierGate | undefined,
  conversation: string,
  entries: readonly ResumeEntry[],
): Promise<ReadonlyMap<string, ApprovalRecord>> {
  const known = new Map<string, ApprovalRecord>();
  for (const { interruptId } of entries) {
    const record = await gate?.store.get(interruptId);
    if (record?.kind === 'question' && record.request.origin.conversation === conversation)
      known.set(interruptId, record);
  }
  return known;
}

function unknownInterrupts(entries: readonly ResumeEntry[], waiting: Waiting): RunError {
  const named = entries.slice(0, 4).map(({ interruptId }) => interruptId);
  const error = new RunError('UNKNOWN_INTERRUPT_ID', [named.join(', ')]);
  if (waiting.approvals.size === 0 && waiting.natives.size === 0) {
    error.message = 'No pending interrupts for this thread.';
  }
  return error;
}

function nativeAnswer(entry: ResumeEntry, waiting: Waiting): NativeAnswer[] {
  const { interruptId } = entry;
  const native = waiting.natives.get(interruptId);
  return native === undefined ? [] : [{ interruptId, response: responseTo(entry, native) }];
}

/** What the agent is handed: the bare payload for `interruptOnCall`, an envelope for every other interrupt. */
function responseTo(entry: ResumeEntry, native: NativeQuestion): JSONValue {
  const isCall = isCallQuestion(native);
  if (entry.status === 'cancelled') return isCall ? { approved: false } : INTERRUPT_CANCELLED;
  const payload = readPayload(entry, isCall ? CALL_SCHEMA : undefined);
  return isCall ? payload : { response: payload };
}

function isCallQuestion(native: NativeQuestion): boolean {
  return interruptOnCallReason(native) !== undefined;
}
