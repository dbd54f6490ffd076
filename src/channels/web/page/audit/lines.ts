import type { JSONValue } from '../../../../core/json.ts';
import { isJsonObject } from '../../../../core/json.ts';
import { shortened } from '../parts/visible.ts';
import { readClosed } from '../told/closed.ts';
import { byWhom, type Reader, whereOf } from '../told/who.ts';
import type { AuditRow, Who } from '../wire/shapes.ts';

/** How a row looks: something ran, a person spoke, something was refused or broke, anything else. */
export type Kind = 'ran' | 'decided' | 'refused' | 'broken' | 'other';

/** One row of the audit chain, for a person. The tool that it is about stands above it. */
export interface AuditLine {
  readonly kind: Kind;
  readonly text: string;
}

type Event = AuditRow['event'];

type Line = (event: Event, reader: Reader) => AuditLine;

/** A line for each type of row. A durable store chains every step of an approval, `approval_…`; others the decision. */
const lines: ReadonlyMap<JSONValue | undefined, Line> = new Map<JSONValue | undefined, Line>([
  ['tool_call', toolCall],
  ['approval', decision],
  ['approval_decided', decision],
  ['approval_created', (event, reader) => other(someone('asked', event.requester, reader))],
  ['approval_delivered', delivered],
  ['approval_consumed', (_event, { words }) => other(words.t('audit.consumed'))],
  ['approval_finished', (event, reader) => status(word(event, 'status'), reader)],
  ['approval_closed', closed],
  ['approval_lost', (_event, reader) => status('unknown', reader)],
  ['error', broken],
  [
    'turn_limit',
    (event, { words }) => other(words.t('audit.limit', { value: word(event, 'value'), limit: word(event, 'limit') })),
  ],
  ['pruned', (_event, { words }) => other(words.t('audit.prune'))],
]);

/** Says in one line what happened. */
export function auditLine({ event }: AuditRow, reader: Reader): AuditLine {
  const line = lines.get(event.type);
  return line?.(event, reader) ?? other(reader.words.t('audit.other', { type: word(event, 'type') }));
}

function other(text: string): AuditLine {
  return { kind: 'other', text };
}

function broken(event: Event, { words }: Reader): AuditLine {
  const text = words.t('audit.error', { where: word(event, 'where'), problem: word(event, 'message') });
  return { kind: 'broken', text };
}

function delivered(event: Event, { words }: Reader): AuditLine {
  const where = whereOf(word(event, 'channel'), words);
  if (event.delivered !== false) return other(words.t('life.delivered', { where }));
  return { kind: 'broken', text: words.t('life.undelivered', { where }) };
}

/** Where an approval came to. */
function status(name: string, { words }: Reader): AuditLine {
  if (name === 'done' || name === 'failed' || name === 'unknown') {
    return { kind: name === 'done' ? 'ran' : 'broken', text: words.t(`life.outcome.${name}`) };
  }
  return other(words.named('status', name));
}

function closed(event: Event, reader: Reader): AuditLine {
  const read = readClosed(typeof event.because === 'string' ? event.because : undefined);
  if (read.type === 'other') return status(word(event, 'status'), reader);
  return { kind: 'decided', text: byWhom(read.type, { ...read.by, id: shortened(read.by.id, 120) }, reader) };
}

function toolCall(event: Event, { words }: Reader): AuditLine {
  const { t, named } = words;
  const how = named('audit.how', word(event, 'approval'));
  if (['refused', 'rejected', 'timeout'].includes(word(event, 'approval'))) {
    const reason = event.approval === 'refused' ? named('audit.why', word(event, 'reason')) : '';
    return { kind: 'refused', text: t('audit.refused', { why: reason === '' ? how : reason }) };
  }
  const failed = event.status === 'error';
  return { kind: failed ? 'broken' : 'ran', text: t(failed ? 'audit.ran_failed' : 'audit.ran', { how }) };
}

function decision(event: Event, reader: Reader): AuditLine {
  const { words } = reader;
  if (event.decision === 'timeout') return { kind: 'decided', text: words.t('verdict.timeout') };
  const who = someone(event.decision === 'approved' ? 'approved' : 'rejected', event.by, reader);
  const channel = word(event, 'channel');
  return { kind: 'decided', text: channel === '' ? who : `${who}, ${whereOf(channel, words)}` };
}

function someone(deed: 'asked' | 'approved' | 'rejected', person: JSONValue | undefined, reader: Reader): string {
  return byWhom(deed, whoOf(person, reader), reader);
}

function whoOf(person: JSONValue | undefined, { words }: Reader): Who {
  if (!isJsonObject(person)) return { id: words.t('audit.nobody'), kind: '' };
  const { kind } = person;
  return { id: word(person, 'id'), ...(typeof kind === 'string' ? { kind } : {}) };
}

function word(event: { readonly [key: string]: JSONValue }, key: string): string {
  const value = event[key];
  return value === undefined ? '' : shortened(typeof value === 'string' ? value : JSON.stringify(value), 120);
}
