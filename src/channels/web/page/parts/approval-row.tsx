import type { JSX } from 'preact';
import { useReader } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
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

function DecidedBy(props: { readonly approval: Approval; readonly reader: Reader }): JSX.Element | null {
  const { decision } = props.approval;
  if (decision?.decision !== 'approved' && decision?.decision !== 'rejected') return null;
  const { shortDate } = props.reader.words;
  return (
    <span>
      {byWhom(decision.decision, decision.by, props.reader)},{' '}
      <time dateTime={new Date(decision.at).toISOString()}>{shortDate(decision.at)}</time>
    </span>
  );
}
