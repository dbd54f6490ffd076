import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GroupItem } from '../audit/group-item.tsx';
import { groupRows } from '../audit/groups.ts';
import { readBelow, readHead, readRows } from '../audit/read-rows.ts';
import { type AuditState, addRows, NO_ROWS } from '../audit/rows.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { visible } from '../parts/visible.ts';
import { useDeskEvent, usePage, useWords } from '../state/page-context.ts';

/** Rows that are read at a time. */
const PAGE = 100;

/** What happened in the hub, call by call, the newest first; what proves it stands behind a step of its own. */
export function AuditView(): JSX.Element {
  const { t } = useWords();
  const { rows, head, floor, failed, newest, older } = useAudit();
  return (
    <div class="view">
      <ViewHeading>{t('audit.title')}</ViewHeading>
      <p class="hint">{t('audit.about')}</p>
      {failed ? <FailureNote retry={newest} /> : null}
      {head === undefined ? null : (
        <details class="chain-head">
          <summary>{t('audit.chain')}</summary>
          <p>{t('audit.head', { seq: head.seq, hash: visible(head.hash) })}</p>
        </details>
      )}
      {head !== undefined && rows.length === 0 ? <p class="empty">{t('audit.none')}</p> : null}
      <ol class="timeline">
        {groupRows(rows).map((group) => (
          <GroupItem key={group.key} group={group} />
        ))}
      </ol>
      {floor > 0 ? (
        <button type="button" class="quiet" onClick={() => void older()}>
          {t('audit.older')}
        </button>
      ) : null}
    </div>
  );
}

function useAudit(): AuditState & {
  readonly failed: boolean;
  readonly newest: () => Promise<void>;
  readonly older: () => Promise<void>;
} {
  const { hub } = usePage();
  const [state, setState] = useState(NO_ROWS);
  const [failed, setFailed] = useState(false);
  // The API reads forwards, so the end has to be known before the newest rows can be read.
  const newest = async (): Promise<void> => {
    const end = await readHead(hub);
    const floor = Math.max(0, (end?.seq ?? 0) - PAGE);
    const read = end === undefined ? undefined : await readRows(hub, floor, end.seq);
    setFailed(read === undefined);
    if (read !== undefined) setState((before) => ({ ...addRows(above(before, floor), read.rows, read.head), floor }));
  };
  const older = async (): Promise<void> => {
    const { floor } = state;
    const read = await readBelow(hub, floor, PAGE);
    setFailed(read === undefined);
    if (read === undefined) return;
    // Unless everything was read anew meanwhile.
    setState((before) =>
      before.floor === floor ? { ...addRows(before, read.rows, read.head), floor: read.floor } : before,
    );
  };
  // Read once; what comes later comes as events.
  useEffect(() => void newest(), []);
  useDeskEvent('audit', (row) => setState((before) => addRows(before, [row], { seq: row.seq, hash: row.hash })));
  useDeskEvent('back', () => void newest());
  return { ...state, failed, newest, older };
}

/** What was read of the rows above a number. */
function above(state: AuditState, floor: number): AuditState {
  return { ...state, rows: state.rows.filter(({ seq }) => seq > floor) };
}
