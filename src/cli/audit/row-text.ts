import type { AuditRow } from '../../core/audit-log.ts';
import { escapeText } from '../../core/escape.ts';
import { isJsonObject, type JSONValue } from '../../core/json.ts';

/** Fields that say how it went, in the order in which they are shown. */
const SHOWN = [
  'status',
  'decision',
  'delivered',
  'because',
  'reason',
  'approval',
  'where',
  'message',
  'limit',
] as const;

/** What cannot be taken for two words, or for another field. */
const PLAIN_WORD = /^[\p{L}\p{N}_.:@/+-]+$/u;

/**
 * One row on one line, harmless for a terminal. Names of events and fields are the same in every language. Whatever is not
 * one plain word stands in quotes, as JSON has it: what somebody wrote must not look like a field.
 */
export function rowText({ seq, at, event }: AuditRow): string {
  const details = SHOWN.flatMap((name) => (event[name] === undefined ? [] : [`${name}=${shown(event[name])}`]));
  const by = nameOf(event.by);
  const requester = by === undefined ? nameOf(event.requester) : undefined;
  const words = [
    String(seq).padStart(6),
    timeText(at),
    shown(event.type ?? '?'),
    ...(event.tool === undefined ? [] : [shown(event.tool)]),
    ...(by === undefined ? [] : [`by=${by}`]),
    ...(requester === undefined ? [] : [`requester=${requester}`]),
    ...details,
  ];
  return words.join('  ');
}

function shown(value: JSONValue): string {
  return typeof value === 'string' && PLAIN_WORD.test(value) ? escapeText(value) : escapeText(JSON.stringify(value));
}

/** A time that somebody wrote into the file may be none. */
function timeText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : String(at);
}

function nameOf(who: JSONValue | undefined): string | undefined {
  return isJsonObject(who) && who.id !== undefined ? shown(who.id) : undefined;
}
