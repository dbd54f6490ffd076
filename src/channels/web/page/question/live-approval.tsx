import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { FailureNote } from '../parts/failure-note.tsx';
import { useDeskEvent, usePage, useWords } from '../state/page-context.ts';
import { type Load, useLoad } from '../state/use-load.ts';
import { type Approval, approvalShape } from '../wire/shapes.ts';
import { ApprovalCard } from './approval-card.tsx';
import { Life } from './life.tsx';
import type { Note } from './use-answer.ts';

/** One approval, as it was last read. */
export type ApprovalLoad = Load<{ readonly approval: Approval }>;

/** Reads one approval, and again whenever something happens to it. */
export function useApproval(id: string): ApprovalLoad {
  const { hub } = usePage();
  const load = useLoad(id, () => hub.get(`/api/approvals/${encodeURIComponent(id)}`, approvalShape));
  useDeskEvent('approval', (event) => {
    if (event.id === id) void load.reload();
  });
  useDeskEvent('back', () => void load.reload());
  return load;
}

interface LiveProps {
  readonly id: string;
  readonly load: ApprovalLoad;
  /** Whether all of it is told, with its whole life. */
  readonly whole: boolean;
  readonly onReplaced: (approval: Approval) => void;
}

/** One approval, kept current while it is looked at. */
export function LiveApproval({ id, load, whole, onReplaced }: LiveProps): JSX.Element {
  const { t } = useWords();
  const { value, failure, reload } = load;
  const [note, setNote] = useState<{ readonly id: string; readonly note: Note }>();
  const replace = (approval: Approval, key: Note['key'] | undefined): void => {
    setNote(key === undefined ? undefined : { id: approval.id, note: { key, tone: 'plain' } });
    onReplaced(approval);
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
        onReplaced={replace}
      />
      {whole ? <Life approval={approval} /> : null}
    </>
  );
}
