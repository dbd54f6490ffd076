import type { JSX } from 'preact';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';

/** What nobody needs to decide, but whoever looks into a log: behind a step of its own. */
export function Technical({ approval }: { readonly approval: Approval }): JSX.Element {
  const { t, dateTime } = useWords();
  const { createdAt, digest, threadId, runId } = approval;
  return (
    <details class="technical">
      <summary>{t('question.technical')}</summary>
      <dl>
        <dt>{t('question.asked')}</dt>
        <dd>{dateTime(createdAt)}</dd>
        <dt>{t('question.whole_digest')}</dt>
        <dd>
          <code>{visible(digest)}</code> <CopyButton text={digest} label={t('question.copy_digest')} />
        </dd>
        <dt>{t('question.conversation')}</dt>
        <dd>
          <code>{threadId === undefined ? t('question.no_conversation') : visible(threadId)}</code>
        </dd>
        {runId === undefined ? null : (
          <>
            <dt>{t('question.run')}</dt>
            <dd>
              <code>{visible(runId)}</code>
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}
