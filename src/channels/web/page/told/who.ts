import { visible } from '../parts/visible.ts';
import type { Who } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';

/** Whom the page speaks to, and in which words. */
export interface Reader {
  readonly me: Who;
  readonly words: Words;
}

/** What somebody can do with a question. */
export type Deed = 'asked' | 'approved' | 'rejected' | 'withdrawn' | 'changed';

/** Who did it; the reader is spoken to. */
export function byWhom(deed: Deed, who: Who, { me, words }: Reader): string {
  return isSame(who, me) ? words.t(`by.${deed}.you`) : words.t(`by.${deed}`, { who: visible(who.id) });
}

/** Whether two are one account: an agent that only has somebody's id is not that person. */
export function isSame(one: Who, other: Who): boolean {
  return one.id === other.id && (one.kind ?? other.kind) === (other.kind ?? one.kind);
}

/** Where something was asked or answered: a channel, in words. */
export function whereOf(channel: string, { t, named }: Words): string {
  const word = named('channel', channel);
  return word === channel ? t('channel.other', { channel: visible(channel) }) : word;
}
