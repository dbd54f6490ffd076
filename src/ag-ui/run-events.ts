import type { BaseEvent, Interrupt, RunAgentInput, TokenUsage } from '@ag-ui/core';
import type { ApprovalRecord } from '../core/approval-record.ts';
import type { RunError } from './run-error.ts';
import { custom, RUN_ERROR, RUN_FINISHED, RUN_STARTED } from './translate/events.ts';
import type { TauDecided, TauPending } from './wire.ts';

type RunIds = Pick<RunAgentInput, 'threadId' | 'runId'>;

/** The first event of every run, refused ones too. */
export function runStarted({ threadId, runId }: RunIds): BaseEvent {
  return { type: RUN_STARTED, threadId, runId };
}

/** The last event of a run that ended, perhaps to wait for answers. */
export function runFinished(
  { threadId, runId }: RunIds,
  interrupts: readonly Interrupt[] = [],
  usage: readonly TokenUsage[] = [],
): BaseEvent {
  const outcome = interrupts.length === 0 ? { type: 'success' } : { type: 'interrupt', interrupts };
  return { type: RUN_FINISHED, threadId, runId, outcome, ...(usage.length === 0 ? {} : { usage }) };
}

/** The last event of a run that failed. */
export function runFailed(error: RunError, usage: readonly TokenUsage[] = []): BaseEvent {
  return { type: RUN_ERROR, message: error.message, code: error.code, ...(usage.length === 0 ? {} : { usage }) };
}

/** Tells a client that its answer came after somebody else's. */
export function decidedElsewhere(record: ApprovalRecord): BaseEvent {
  return decided({ interruptId: record.id, ...howItEnded(record) });
}

/** A withdrawal counts more than the yes that it may have taken back. */
function howItEnded(record: ApprovalRecord): Omit<TauDecided, 'interruptId'> {
  const { status, decision, closedBy, updatedAt } = record;
  if (status === 'cancelled')
    return { decision: status, by: closedBy?.id ?? null, at: new Date(updatedAt).toISOString() };
  if (decision === undefined) return { decision: status, by: null, at: null };
  return { decision: decision.decision, by: decision.by.id, at: new Date(decision.at).toISOString() };
}

/** Tells a client that a question of its is gone: nobody can decide it any more, and nothing was run. */
export function lostQuestion(interruptId: string): BaseEvent {
  return decided({ interruptId, decision: 'void', by: null, at: null });
}

/** Tells a client what its thread waits for, and how it stands. */
export function openInterrupts(interrupts: readonly Interrupt[]): BaseEvent {
  const value: TauPending = { interrupts };
  return custom('tau:pending', value);
}

function decided(value: TauDecided): BaseEvent {
  return custom('tau:decided', value);
}
