import type { JSX } from 'preact';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval } from '../wire/shapes.ts';
import { Verdict } from './verdict.tsx';

/** What remains of a question in its conversation: how it ended, and the way to all of it. */
export function SettledLine(props: {
  readonly approval: Approval;
  readonly focus?: boolean;
  readonly elsewhere?: boolean;
}): JSX.Element {
  const { t } = useWords();
  const { approval, focus = false, elsewhere = false } = props;
  return (
    <article class="settled" aria-label={`${t('question.page')}: ${visible(approval.tool)}`}>
      <Verdict approval={approval} focus={focus} elsewhere={elsewhere} />
      <p class="hint">
        {approval.editOf === undefined ? null : <>{t('question.written_person')} · </>}
        <a href={fragmentOf({ view: 'approval', id: approval.id })}>{t('life.title')}</a>
      </p>
    </article>
  );
}
