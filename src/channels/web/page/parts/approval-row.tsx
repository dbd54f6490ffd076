import type { JSX } from 'preact';
import { useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval } from '../wire/shapes.ts';
import { StatusBadge } from './status-badge.tsx';
import { TierBadge } from './tier-badge.tsx';
import { shortened } from './visible.ts';

/** One approval in a list; leads to the whole of it. */
export function ApprovalRow({ approval, now }: { readonly approval: Approval; readonly now: number }): JSX.Element {
  const { t, briefly, duration } = useWords();
  const { expiresAt, status } = approval;
  const left = status === 'pending' && expiresAt !== undefined ? expiresAt - now : undefined;
  return (
    <li class="row">
      <a href={fragmentOf({ view: 'approval', id: approval.id })}>
        <span class="row-tool">{shortened(approval.tool, 60)}</span>
        <span class="row-effect">{shortened(approval.effect, 160)}</span>
        <span class="row-facts">
          <TierBadge tier={approval.tier} />
          <StatusBadge status={status} />
          <span>{shortened(approval.requester.id, 40)}</span>
          <time dateTime={new Date(approval.createdAt).toISOString()}>{briefly(approval.createdAt, now)}</time>
          {left === undefined ? null : (
            <span class={left < 60_000 ? 'soon' : ''}>
              {t('question.expires')} {left > 0 ? t('question.expires_in', { time: duration(left) }) : '–'}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
