import type { JSX } from 'preact';
import { showJson } from '../../../../core/escape.ts';
import { MarkedText } from '../parts/marked-text.tsx';
import { visible } from '../parts/visible.ts';
import { useReader, useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { AuditRow } from '../wire/shapes.ts';
import { type AuditGroup, kindOf, stepsOf } from './groups.ts';

/** One call with its steps; the rows of the chain themselves stand behind a step of their own. */
export function GroupItem({ group }: { readonly group: AuditGroup }): JSX.Element {
  const reader = useReader();
  const { t, shortDate } = reader.words;
  const steps = stepsOf(group, reader);
  const [first, last] = [group.rows[0]?.seq ?? 0, group.rows.at(-1)?.seq ?? 0];
  const at = group.rows[0]?.at ?? 0;
  return (
    <li class={`happened happened-${kindOf(steps)}`}>
      <p class="happened-title">
        <GroupTitle group={group} /> <time dateTime={new Date(at).toISOString()}>{shortDate(at)}</time>
      </p>
      <ol class="happened-steps">
        {steps.map((step) => (
          <li key={step.seq} class={`step step-${step.kind}`}>
            <MarkedText text={step.text} /> <StepTime at={step.at} />
          </li>
        ))}
      </ol>
      <details>
        <summary>
          {t('audit.details')} {first === last ? first : `${first}–${last}`}
        </summary>
        {group.rows.map((row) => (
          <ChainRow key={row.seq} row={row} />
        ))}
      </details>
    </li>
  );
}

function GroupTitle({ group }: { readonly group: AuditGroup }): JSX.Element {
  const { t } = useWords();
  const id = group.rows.find(({ event }) => typeof event.approvalId === 'string')?.event.approvalId;
  if (group.tool === undefined) return <>{t('audit.hub')}</>;
  if (typeof id !== 'string') return <code>{group.tool}</code>;
  return (
    <a href={fragmentOf({ view: 'approval', id })}>
      <code>{group.tool}</code>
    </a>
  );
}

function StepTime({ at }: { readonly at: number }): JSX.Element {
  const { time } = useWords();
  return <time dateTime={new Date(at).toISOString()}>{time(at)}</time>;
}

function ChainRow({ row }: { readonly row: AuditRow }): JSX.Element {
  const { t } = useWords();
  return (
    <>
      <p class="label">{t('audit.row', { seq: row.seq })}</p>
      <pre class="code-block">
        <MarkedText text={showJson(row.event).join('\n')} />
      </pre>
      <p class="hint">
        {t('audit.hash')}: <code>{visible(row.hash)}</code>
      </p>
    </>
  );
}
