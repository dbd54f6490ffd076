import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApprovalRow } from '../parts/approval-row.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { newestFirst } from '../state/newest-first.ts';
import { useDeskEvent, useNow, usePage, useWords } from '../state/page-context.ts';
import { readApprovals } from '../state/read-approvals.ts';
import type { Approval } from '../wire/shapes.ts';

const filters = [
  '',
  'pending',
  'approved',
  'rejected',
  'timeout',
  'done',
  'failed',
  'unknown',
  'cancelled',
  'void',
] as const;

/** All questions there ever were, the newest first. */
export function HistoryView(): JSX.Element {
  const { t, named } = useWords();
  const [status, setStatus] = useState('');
  const { approvals, failed, more, read } = useHistory(status);
  const now = useNow(30_000);
  return (
    <div class="view">
      <ViewHeading>{t('history.title')}</ViewHeading>
      <label class="filter">
        {t('history.filter')}{' '}
        <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
          {filters.map((name) => (
            <option key={name} value={name}>
              {name === '' ? t('history.all') : named('status', name)}
            </option>
          ))}
        </select>
      </label>
      {failed ? <FailureNote retry={() => read('first')} /> : null}
      {approvals === undefined && !failed ? <p class="loading">{t('page.loading')}</p> : null}
      {approvals?.length === 0 ? <p class="empty">{t('history.none')}</p> : null}
      <ul class="rows" aria-label={t('history.table')}>
        {approvals?.map((approval) => (
          <ApprovalRow key={approval.id} approval={approval} now={now} />
        ))}
      </ul>
      {more ? (
        <button type="button" class="quiet" onClick={() => void read('next')}>
          {t('page.more')}
        </button>
      ) : null}
    </div>
  );
}

interface HistoryState {
  readonly approvals: readonly Approval[] | undefined;
  readonly failed: boolean;
  readonly cursor: string | undefined;
}

const NOTHING: HistoryState = { approvals: undefined, failed: false, cursor: undefined };

function useHistory(status: string): {
  readonly approvals: readonly Approval[] | undefined;
  readonly failed: boolean;
  readonly more: boolean;
  readonly read: (which: 'first' | 'next') => Promise<void>;
} {
  const { hub } = usePage();
  const [state, setState] = useState(NOTHING);
  const wanted = useRef(status);
  wanted.current = status;
  const read = async (which: 'first' | 'next'): Promise<void> => {
    const query = new URLSearchParams({ order: 'newest', limit: '50' });
    if (status !== '') query.set('status', status);
    if (which === 'next' && state.cursor !== undefined) query.set('cursor', state.cursor);
    const reply = await readApprovals(hub, query);
    if (wanted.current !== status) return;
    setState((before) => {
      if (!reply.ok) return { ...before, failed: true };
      const { approvals, nextCursor } = reply.value;
      const first = before.approvals === undefined;
      const cursor = which === 'next' || first ? (nextCursor ?? undefined) : before.cursor;
      return { approvals: newestFirst(approvals, before.approvals ?? []), failed: false, cursor };
    });
  };
  // Another filter is the reason to begin anew.
  useEffect(() => {
    setState(NOTHING);
    void read('first');
  }, [status]);
  useDeskEvent('approval', () => void read('first'));
  useDeskEvent('back', () => void read('first'));
  return { ...state, more: state.cursor !== undefined, read };
}
