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

/** One row on one line, harmless for a terminal. Names of events and fields are the same in every language. */
export function rowText({ seq, at, event }: AuditRow): string {
  const details = SHOWN.flatMap((name) => (event[name] === undefined ? [] : [`${name}=${shown(event[name])}`]));
  const by = nameOf(event.by);
  const requester = by === undefined ? nameOf(event.requester) : undefined;
  const words = [
    String(seq).padStart(6),
    new Date(at).toISOString(),
    shown(event.type ?? '?'),
    ...(event.tool === undefined ? [] : [shown(event.tool)]),
    ...(by === undefined ? [] : [`by=${by}`]),
    ...(requester === undefined ? [] : [`requester=${requester}`]),
    ...details,
  ];
  return words.join('  ');
}

function shown(value: JSONValue): string {
  return escapeText(typeof value === 'string' ? value : JSON.stringify(value));
}

function nameOf(who: JSONValue | undefined): string | undefined {
  return isJsonObject(who) && who.id !== undefined ? shown(who.id) : undefined;
}
