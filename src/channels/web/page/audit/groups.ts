import { isJsonObject } from '../../../../core/json.ts';
import { shortened } from '../parts/visible.ts';
import type { Reader } from '../told/who.ts';
import type { AuditRow } from '../wire/shapes.ts';
import { type AuditLine, auditLine, type Kind } from './lines.ts';

/** Everything that was written down about one call, or one thing that is about none. */
export interface AuditGroup {
  readonly key: string;
  /** The tool; `undefined` for what is about no call. */
  readonly tool: string | undefined;
  /** The oldest first. */
  readonly rows: readonly AuditRow[];
}

/** Puts the rows about one call together. The groups stand in the order of their newest rows, the newest first. */
export function groupRows(rows: readonly AuditRow[]): readonly AuditGroup[] {
  const keys = new CallKeys();
  const groups = new Map<string, AuditRow[]>();
  for (const row of [...rows].sort((a, b) => a.seq - b.seq)) {
    const key = keys.of(row);
    const before = groups.get(key) ?? [];
    // What grew last comes last.
    groups.delete(key);
    groups.set(key, [...before, row]);
  }
  return [...groups].reverse().map(([key, members]) => ({ key, tool: toolOf(members), rows: members }));
}

/**
 * Knows which rows are about one call, when it is given all rows in their order. A question is known by its id, and the
 * one that takes its place by naming it; how a call ended belongs to the question that was last asked about that call.
 */
class CallKeys {
  readonly #ofApproval = new Map<string, string>();
  readonly #ofCall = new Map<string, string>();

  of({ seq, event }: AuditRow): string {
    const call = callOf(event);
    if (typeof event.approvalId !== 'string') return this.#ofCall.get(call) ?? `row ${seq}`;
    const first = typeof event.editOf === 'string' ? event.editOf : event.approvalId;
    const key = this.#ofApproval.get(event.approvalId) ?? this.#ofApproval.get(first) ?? `approval ${first}`;
    this.#ofApproval.set(event.approvalId, key);
    if (call !== '') this.#ofCall.set(call, key);
    return key;
  }
}

/** The model's id of a call, within its conversation. */
function callOf({ toolUseId, origin }: AuditRow['event']): string {
  const conversation = isJsonObject(origin) ? origin.conversation : undefined;
  return toolUseId === undefined || conversation === undefined ? '' : JSON.stringify([conversation, toolUseId]);
}

function toolOf(rows: readonly AuditRow[]): string | undefined {
  const tool = rows.find(({ event }) => typeof event.tool === 'string')?.event.tool;
  return typeof tool === 'string' ? shortened(tool, 120) : undefined;
}

/** One step of a group, with when it was taken. */
export interface AuditStep extends AuditLine {
  readonly at: number;
  readonly seq: number;
}

/** What is told of a group. That a call ended is told once, though the question and the call both say it. */
export function stepsOf({ rows }: AuditGroup, reader: Reader): readonly AuditStep[] {
  const decided = rows.some(({ event }) => event.type === 'approval_decided');
  const ended = rows.some(({ event }) => endsCall(event));
  const told = rows.filter(
    ({ event: { type } }) => !(type === 'approval' && decided) && !(type === 'tool_call' && ended),
  );
  return told.map((row) => ({ ...auditLine(row, reader), at: row.at, seq: row.seq }));
}

/** Whether the question itself says how the call ended. */
function endsCall({ type, decision }: AuditRow['event']): boolean {
  const over = type === 'approval_finished' || type === 'approval_lost' || type === 'approval_closed';
  return over || (type === 'approval_decided' && decision !== 'approved');
}

/** How a group looks: what happened last counts, unless it says nothing. */
export function kindOf(steps: readonly AuditStep[]): Kind {
  return steps.findLast(({ kind }) => kind !== 'other')?.kind ?? 'other';
}
