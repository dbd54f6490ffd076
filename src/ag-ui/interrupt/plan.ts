import type { ResumeEntry } from '@ag-ui/core';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { TierGate } from '../../core/gate.ts';
import type { JSONValue } from '../../core/json.ts';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import { PARK_PREFIX } from '../../strands/parking.ts';
import { RunError } from '../run-error.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { type ApprovalAnswer, checkNativeAnswer, readApprovalAnswer } from './answer.ts';
import { readBookkeeping } from './bookkeeping.ts';
import { INTERRUPT_CANCELLED } from './cancelled.ts';
import { resumeFingerprint } from './fingerprint.ts';
import { interruptOnCallReason } from './interrupt-on-call.ts';

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
 * | `replay` | the same resume as the last one that finished: answered again, nothing runs |
 * | `decided` | everything it answers was decided and carried on elsewhere: it is told so, nothing runs |
 * | `resume` | the waiting calls go on |
 */
export type Plan =
  | { readonly type: 'prompt' }
  | { readonly type: 'replay' }
  | { readonly type: 'decided'; readonly records: readonly ApprovalRecord[] }
  | {
      readonly type: 'resume';
      readonly fingerprint: string;
      readonly approvals: readonly ApprovalEntry[];
      readonly natives: readonly NativeAnswer[];
    };

/** What a thread waits for. */
interface Waiting {
  /** Whether calls are parked behind tau approvals. */
  readonly parked: boolean;
  /** Open approvals by id. */
  readonly approvals: ReadonlyMap<string, ApprovalRecord>;
  /** Unanswered native interrupts: id => name and reason. */
  readonly natives: ReadonlyMap<string, { readonly name: string; readonly reason: JSONValue }>;
}

/**
 * Reads a request against what the thread waits for. Nothing is changed here; a request that does not fit is refused
 * with its code before anything is decided.
 */
export async function planRun(
  thread: ThreadAgent,
  conversation: string,
  entries: readonly ResumeEntry[],
): Promise<Plan> {
  const waiting = await whatWaits(thread, conversation);
  if (entries.length === 0) {
    if (waiting.parked || waiting.natives.size > 0) throw new RunError('PENDING_INTERRUPTS');
    return { type: 'prompt' };
  }
  return planResume(thread, conversation, entries, waiting);
}

async function whatWaits({ agent, guarded }: ThreadAgent, conversation: string): Promise<Waiting> {
  const natives = nativesOf(agent);
  if (guarded === undefined) return { parked: false, approvals: new Map(), natives };
  const parked = await guarded.gate.store.parked(conversation);
  const approvals = new Map<string, ApprovalRecord>();
  if (parked !== undefined) {
    const { records } = await guarded.gate.store.list({ conversation, status: 'pending', limit: 1000 });
    for (const record of records) approvals.set(record.id, record);
  }
  return { parked: parked !== undefined, approvals, natives };
}

function nativesOf(agent: ThreadAgent['agent']): Waiting['natives'] {
  const natives = new Map<string, { readonly name: string; readonly reason: JSONValue }>();
  const { interrupts, activated } = readCheckpoint(agent);
  if (!activated) return natives;
  for (const [id, value] of Object.entries(interrupts)) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const { name, reason = null, response } = value as { readonly [key: string]: JSONValue };
    if (typeof name !== 'string' || name.startsWith(PARK_PREFIX) || response !== undefined) continue;
    natives.set(id, { name, reason });
  }
  return natives;
}

async function planResume(
  thread: ThreadAgent,
  conversation: string,
  entries: readonly ResumeEntry[],
  waiting: Waiting,
): Promise<Plan> {
  const fingerprint = resumeFingerprint(entries);
  if (readBookkeeping(thread.agent).lastResumeFingerprint === fingerprint) return { type: 'replay' };
  const known = await approvalsOf(thread.guarded?.gate, conversation, entries);
  const unknown = entries.filter(({ interruptId }) => !known.has(interruptId) && !waiting.natives.has(interruptId));
  if (unknown.length > 0) throw unknownInterrupts(unknown, waiting);
  const answered = new Set(entries.map(({ interruptId }) => interruptId));
  const missing = [...waiting.approvals.keys(), ...waiting.natives.keys()].filter((id) => !answered.has(id));
  if (missing.length > 0) throw new RunError('PARTIAL_RESUME', [missing.sort().join(', ')]);
  const approvals = entries.flatMap((entry) => {
    const record = known.get(entry.interruptId);
    return record === undefined ? [] : [{ record, answer: readApprovalAnswer(entry) }];
  });
  const natives = entries.flatMap((entry) => nativeAnswer(entry, waiting));
  if (!waiting.parked && natives.length === 0)
    return { type: 'decided', records: approvals.map(({ record }) => record) };
  return { type: 'resume', fingerprint, approvals, natives };
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
  const nothingWaits = waiting.approvals.size === 0 && waiting.natives.size === 0;
  const error = new RunError('UNKNOWN_INTERRUPT_ID', [
    entries
      .slice(0, 4)
      .map(({ interruptId }) => interruptId)
      .join(', '),
  ]);
  if (nothingWaits) error.message = 'No pending interrupts for this thread.';
  return error;
}

function nativeAnswer(entry: ResumeEntry, waiting: Waiting): NativeAnswer[] {
  const { interruptId } = entry;
  const native = waiting.natives.get(interruptId);
  if (native === undefined) return [];
  const isCall = interruptOnCallReason(native) !== undefined;
  if (entry.status === 'cancelled')
    return [{ interruptId, response: isCall ? { approved: false } : INTERRUPT_CANCELLED }];
  const schema = isCall
    ? { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] }
    : undefined;
  const payload = checkNativeAnswer(entry, schema);
  return [{ interruptId, response: isCall ? payload : { response: payload } }];
}
