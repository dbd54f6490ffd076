import type { Who } from '../wire/shapes.ts';

/** Why a question was closed without an answer, as far as it can be told in a person's words. */
export type Closed =
  | { readonly type: 'withdrawn'; readonly by: Who; readonly channel: string; readonly because?: string }
  | { readonly type: 'changed'; readonly by: Who }
  | { readonly type: 'other' };

const WITHDRAWN = /^withdrawn by (?<kind>\w+) '(?<id>.*?)' at (?<channel>[^\s:]+)(?:: (?<because>.+))?$/su;
const CHANGED = /^edited by (?<kind>\w+) '(?<id>.*)'$/su;

/** Reads what the record says, which is written for the audit. */
export function readClosed(closedBecause: string | undefined): Closed {
  const withdrawn = WITHDRAWN.exec(closedBecause ?? '')?.groups;
  if (withdrawn !== undefined) {
    const { kind = '', id = '', channel = '', because } = withdrawn;
    return { type: 'withdrawn', by: { id, kind }, channel, ...(because === undefined ? {} : { because }) };
  }
  const changed = CHANGED.exec(closedBecause ?? '')?.groups;
  if (changed === undefined) return { type: 'other' };
  return { type: 'changed', by: { id: changed.id ?? '', kind: changed.kind ?? '' } };
}
