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

/** Says in one line what happened. */
export function auditLine({ event }: AuditRow, words: Words): AuditLine {
  switch (event.type) {
    case 'tool_call':
      return toolCall(event, words);
    case 'approval':
      return { kind: 'decided', text: decision(event, words) };
    case 'error':
      return {
        kind: 'broken',
        text: words.t('audit.error', { where: word(event, 'where'), problem: word(event, 'message') }),
      };
    case 'turn_limit':
      return {
        kind: 'other',
        text: words.t('audit.limit', { value: word(event, 'value'), limit: word(event, 'limit') }),
      };
    case 'prune':
    case 'pruned':
      return { kind: 'other', text: words.t('audit.prune') };
    default:
      return { kind: 'other', text: words.t('audit.other', { type: word(event, 'type') }) };
  }
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
  const by = event.by;
  const who = isJsonObject(by) ? word(by, 'id') : t('audit.nobody');
  return t('audit.decision', { tool: word(event, 'tool'), decision: named('decision', word(event, 'decision')), who });
}

function word(event: { readonly [key: string]: JSONValue }, key: string): string {
  const value = event[key];
  return value === undefined ? '' : shortened(typeof value === 'string' ? value : JSON.stringify(value), 120);
}
