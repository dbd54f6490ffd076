import type { JSX } from 'preact';
import { useReader } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import { readClosed } from '../told/closed.ts';
import { byWhom, type Reader } from '../told/who.ts';
import type { Approval } from '../wire/shapes.ts';
import { StatusBadge } from './status-badge.tsx';
import { TierBadge } from './tier-badge.tsx';
import { shortened } from './visible.ts';

/** One approval in a list: what it is about, who asked and who decided, and when; leads to the whole of it. */
export function ApprovalRow({ approval, now }: { readonly approval: Approval; readonly now: number }): JSX.Element {
  const reader = useReader();
  const { t, shortDate, duration } = reader.words;
  const { createdAt, expiresAt, status, requester } = approval;
  const left = status === 'pending' && expiresAt !== undefined ? expiresAt - now : undefined;
  return (
    <li class="row">
      <a href={fragmentOf({ view: 'approval', id: approval.id })}>
        <span class="row-tool">{shortened(approval.tool, 60)}</span>
        <span class="row-effect">{shortened(approval.effect, 160)}</span>
        <span class="row-facts">
          <TierBadge tier={approval.tier} />
          <StatusBadge status={status} />
          <span>
            {byWhom('asked', { ...requester, id: shortened(requester.id, 40) }, reader)},{' '}
            <time dateTime={new Date(createdAt).toISOString()}>{shortDate(createdAt)}</time>
          </span>
          <DecidedBy approval={approval} reader={reader} />
          {left === undefined ? null : (
            <span class={left < 60_000 ? 'soon' : ''}>
              {t('question.expires')}: {left > 0 ? duration(left) : '–'}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

/** Who decided it, or put an end to it. */
function DecidedBy(props: { readonly approval: Approval; readonly reader: Reader }): JSX.Element | null {
  const { decision, closedBecause, updatedAt } = props.approval;
  const { shortDate } = props.reader.words;
  const ended = (text: string, at: number): JSX.Element => (
    <span>
      {text}, <time dateTime={new Date(at).toISOString()}>{shortDate(at)}</time>
    </span>
  );
  const closed = readClosed(closedBecause);
  if (closed.type !== 'other') return ended(byWhom(closed.type, closed.by, props.reader), updatedAt);
  if (decision?.decision !== 'approved' && decision?.decision !== 'rejected') return null;
  return ended(byWhom(decision.decision, decision.by, props.reader), decision.at);
}
