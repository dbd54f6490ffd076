import type { JSONValue } from '../../../../core/json.ts';
import { isJsonObject } from '../../../../core/json.ts';
import { shortened } from '../parts/visible.ts';
import type { AuditRow } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';

/** How a row looks: something ran, a person spoke, something was refused or broke, anything else. */
export type Kind = 'ran' | 'decided' | 'refused' | 'broken' | 'other';

/** One row of the audit chain, for a person. */
export interface AuditLine {
  readonly kind: Kind;
  readonly text: string;
}

type Event = AuditRow['event'];

type Line = (event: Event, words: Words) => AuditLine;

/** A line for each type of row. A durable store chains every step of an approval, `approval_…`; others the decision. */
const lines: ReadonlyMap<JSONValue | undefined, Line> = new Map<JSONValue | undefined, Line>([
  ['tool_call', toolCall],
  ['approval', (event, words) => ({ kind: 'decided', text: decision(event, words) })],
  ['approval_decided', (event, words) => ({ kind: 'decided', text: decision(event, words) })],
  [
    'approval_created',
    (event, { t }) => other(t('audit.created', { tool: word(event, 'tool'), who: who(event.requester, t) })),
  ],
  ['approval_delivered', delivered],
  ['approval_consumed', (event, { t }) => other(t('audit.consumed', { tool: word(event, 'tool') }))],
  ['approval_finished', (event, words) => status(event, word(event, 'status'), words)],
  ['approval_closed', (event, words) => status(event, word(event, 'status'), words)],
  ['approval_lost', (event, words) => status(event, 'unknown', words)],
  ['error', broken],
  [
    'turn_limit',
    (event, { t }) => other(t('audit.limit', { value: word(event, 'value'), limit: word(event, 'limit') })),
  ],
  ['pruned', (_event, { t }) => other(t('audit.prune'))],
]);

/** Says in one line what happened. */
export function auditLine({ event }: AuditRow, words: Words): AuditLine {
  const line = lines.get(event.type);
  return line?.(event, words) ?? other(words.t('audit.other', { type: word(event, 'type') }));
}

function other(text: string): AuditLine {
  return { kind: 'other', text };
}

function broken(event: Event, { t }: Words): AuditLine {
  return { kind: 'broken', text: t('audit.error', { where: word(event, 'where'), problem: word(event, 'message') }) };
}

function delivered(event: Event, { t }: Words): AuditLine {
  const values = { tool: word(event, 'tool'), channel: word(event, 'channel') };
  if (event.delivered !== false) return other(t('audit.delivered', values));
  return { kind: 'broken', text: t('audit.undelivered', values) };
}

/** Where an approval came to. */
function status(event: Event, name: string, { t, named }: Words): AuditLine {
  const text = t('audit.status', { tool: word(event, 'tool'), status: named('status', name) });
  return { kind: name === 'failed' || name === 'unknown' ? 'broken' : 'other', text };
}

function toolCall(event: Event, { t, named }: Words): AuditLine {
  const tool = word(event, 'tool');
  const how = named('audit.how', word(event, 'approval'));
  if (['refused', 'rejected', 'timeout'].includes(word(event, 'approval'))) {
    const reason = event.approval === 'refused' ? word(event, 'reason') : '';
    return { kind: 'refused', text: t('audit.refused', { tool, why: reason === '' ? how : `${how}, ${reason}` }) };
  }
  const failed = event.status === 'error';
  return { kind: failed ? 'broken' : 'ran', text: t(failed ? 'audit.ran_failed' : 'audit.ran', { tool, how }) };
}

function decision(event: Event, { t, named }: Words): string {
  const channel = word(event, 'channel');
  const values = {
    tool: word(event, 'tool'),
    decision: named('decision', word(event, 'decision')),
    who: who(event.by, t),
    channel,
  };
  return t(channel === '' ? 'audit.decision' : 'audit.decision_on', values);
}

function who(person: JSONValue | undefined, t: Words['t']): string {
  return isJsonObject(person) ? word(person, 'id') : t('audit.nobody');
}

function word(event: { readonly [key: string]: JSONValue }, key: string): string {
  const value = event[key];
  return value === undefined ? '' : shortened(typeof value === 'string' ? value : JSON.stringify(value), 120);
}
