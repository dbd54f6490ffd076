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
  const groups = new Map<string, AuditRow[]>();
  for (const row of [...rows].sort((a, b) => b.seq - a.seq)) {
    const key = keyOf(row);
    groups.set(key, [row, ...(groups.get(key) ?? [])]);
  }
  return [...groups].map(([key, members]) => ({ key, tool: toolOf(members), rows: members }));
}

/** A call that nobody was asked about has one row only. */
function keyOf({ seq, event }: AuditRow): string {
  if (typeof event.approvalId === 'string') return `approval ${event.approvalId}`;
  return `row ${seq}`;
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
  const types = new Set(rows.map(({ event }) => event.type));
  const ends = types.has('approval_finished') || types.has('approval_lost');
  const told = rows.filter(({ event }) => {
    if (event.type === 'approval') return !types.has('approval_decided');
    return event.type !== 'tool_call' || !ends;
  });
  return told.map((row) => ({ ...auditLine(row, reader), at: row.at, seq: row.seq }));
}

/** How a group looks: what happened last counts, unless it says nothing. */
export function kindOf(steps: readonly AuditStep[]): Kind {
  return steps.findLast(({ kind }) => kind !== 'other')?.kind ?? 'other';
}
