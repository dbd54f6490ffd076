import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GroupItem } from '../audit/group-item.tsx';
import { groupRows } from '../audit/groups.ts';
import { type AuditState, addRows, NO_ROWS, oldestOf } from '../audit/rows.ts';
import { FailureNote } from '../parts/failure-note.tsx';
import { ViewHeading } from '../parts/heading.tsx';
import { visible } from '../parts/visible.ts';
import { useDeskEvent, usePage, useWords } from '../state/page-context.ts';
import { auditShape } from '../wire/shapes.ts';

/** Rows that are read at a time. */
const PAGE = 100;

/** What happened in the hub, call by call, the newest first; what proves it stands behind a step of its own. */
export function AuditView(): JSX.Element {
  const { t } = useWords();
  const { rows, head, failed, newest, older } = useAudit();
  const oldest = oldestOf(rows);
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
      {oldest !== undefined && oldest > 1 ? (
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
  const read = async (after: number, limit: number): Promise<number | undefined> => {
    const reply = await hub.get(`/api/audit?after=${after}&limit=${limit}`, auditShape);
    setFailed(!reply.ok);
    if (!reply.ok) return undefined;
    setState((before) => addRows(before, reply.value.rows, reply.value.head));
    return reply.value.head.seq;
  };
  // The API reads forwards, so the end has to be known before the newest rows can be read.
  const newest = async (): Promise<void> => {
    const end = await read(0, 1).then((seq) => seq ?? 0);
    if (end > 0) await read(Math.max(0, end - PAGE), PAGE);
    setState((before) => ({ ...before, rows: before.rows.filter(({ seq }) => seq > end - PAGE) }));
  };
  const older = async (): Promise<void> => {
    const oldest = oldestOf(state.rows) ?? 1;
    const after = Math.max(0, oldest - 1 - PAGE);
    await read(after, oldest - 1 - after);
  };
  // Read once; what comes later comes as events.
  useEffect(() => void newest(), []);
  useDeskEvent('audit', (row) => setState((before) => addRows(before, [row], { seq: row.seq, hash: row.hash })));
  useDeskEvent('back', () => void newest());
  return { ...state, failed, newest, older };
}
