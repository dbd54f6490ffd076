import { visible } from '../parts/visible.ts';
import type { Approval, Decided } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';
import { type Closed, readClosed } from './closed.ts';
import { byWhom, isSame, type Reader, whereOf } from './who.ts';

/** How a question ended, for a person. */
export interface Ending {
  /** Who decided what, where and when; and that it was not run, if so. */
  readonly text: string;
  /** `good`: it was allowed; `no`: it was not; `bad`: it was, and went wrong. */
  readonly tone: 'good' | 'no' | 'bad';
  /** What somebody gave as the reason, made visible. */
  readonly reason?: string;
}

/** What each status says when nobody is to be named. */
const nameless: ReadonlyMap<string, WordKey> = new Map([
  ['timeout', 'verdict.timeout'],
  ['cancelled', 'verdict.cancelled'],
  ['void', 'verdict.void'],
  ['expired', 'verdict.expired'],
]);

/** Whether a yes was given and held, so that the call ran or will. */
export function isAllowed(status: string): boolean {
  return ['approved', 'consumed', 'done', 'failed', 'unknown'].includes(status);
}

/**
 * Tells how a question ended.
 *
 * @param before - Whether somebody was faster than the reader, who is told so.
 */
export function endingOf(approval: Approval, reader: Reader, before = false): Ending {
  const { status, decision } = approval;
  const closed = readClosed(approval.closedBecause);
  const reason = decision?.reason ?? (closed.type === 'withdrawn' ? closed.because : undefined);
  const more = reason === undefined ? {} : { reason: visible(reason) };
  if (isAllowed(status) && decision !== undefined) {
    const tone = status === 'failed' || status === 'unknown' ? 'bad' : 'good';
    return { text: `${decided(decision, reader, before)}.`, tone, ...more };
  }
  const { t } = reader.words;
  const after = closed.type === 'changed' ? t('verdict.replaced') : t('verdict.not_run');
  return { text: `${headOf(approval, closed, reader, before)}. ${after}`, tone: 'no', ...more };
}

function headOf({ status, decision }: Approval, closed: Closed, reader: Reader, before: boolean): string {
  if (status === 'rejected' && decision !== undefined) return decided(decision, reader, before);
  if (closed.type !== 'other') return byWhom(closed.type, closed.by, reader);
  return reader.words.t(nameless.get(status) ?? 'verdict.other');
}

/** Who decided what, where and when. */
function decided({ decision, by, channel, at }: Decided, reader: Reader, before = false): string {
  const { words } = reader;
  const what = decision === 'approved' ? 'approved' : 'rejected';
  const faster = before && !isSame(by, reader.me);
  const who = faster ? words.t(`by.${what}.before`, { who: visible(by.id) }) : byWhom(what, by, reader);
  return `${who}, ${whereOf(channel, words)} · ${words.dateTime(at)}`;
}
