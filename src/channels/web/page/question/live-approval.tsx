import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote } from '../parts/failure-note.tsx';
import { useDeskEvent, usePage, useWords } from '../state/page-context.ts';
import { useLoad } from '../state/use-load.ts';
import { type Approval, approvalShape } from '../wire/shapes.ts';
import { ApprovalCard } from './approval-card.tsx';
import { Life } from './life.tsx';
import type { Note } from './use-answer.ts';

interface LiveProps {
  readonly id: string;
  /** Whether all of it is told, with its whole life. */
  readonly whole: boolean;
  readonly onReplaced: (id: string) => void;
}

/** One approval, kept current while it is looked at. */
export function LiveApproval({ id, whole, onReplaced }: LiveProps): JSX.Element {
  const { hub } = usePage();
  const { t } = useWords();
  const [note, setNote] = useState<{ readonly id: string; readonly note: Note }>();
  const { value, failure, reload } = useLoad(id, () =>
    hub.get(`/api/approvals/${encodeURIComponent(id)}`, approvalShape),
  );
  useDeskEvent('approval', (event) => {
    if (event.id === id) void reload();
  });
  useDeskEvent('back', () => void reload());
  const replace = (approval: Approval, key: Note['key']): void => {
    setNote({ id: approval.id, note: { key, tone: 'plain' } });
    onReplaced(approval.id);
  };
  if (value === undefined && failure?.status === 404) return <p class="note">{t('question.gone')}</p>;
  if (value === undefined && failure !== undefined) return <FailureNote retry={reload} />;
  if (value === undefined) return <p class="loading">{t('page.loading')}</p>;
  const { approval } = value;
  return (
    <>
      <ApprovalCard
        key={`${approval.id} ${approval.digest}`}
        approval={approval}
        whole={whole}
        reload={reload}
        note={note?.id === id ? note.note : undefined}
        onReplaced={(next) => replace(next, 'question.again')}
      />
      {whole ? <Life approval={approval} reload={reload} onRetried={(next) => replace(next, 'life.retry_of')} /> : null}
    </>
  );
}
