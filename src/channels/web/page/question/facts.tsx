import type { ComponentChildren, JSX } from 'preact';
import { TierBadge } from '../parts/tier-badge.tsx';
import { useNow, useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import { type StatedRow, statedRows } from './shown-rows.ts';
import { ShownText } from './shown-text.tsx';
import type { ShownWatcher } from './shown-watcher.ts';

interface FactsProps {
  readonly approval: Approval;
  readonly watcher: ShownWatcher | undefined;
}

/** What tau states about a question, apart from what the model wrote. */
export function Facts({ approval, watcher }: FactsProps): JSX.Element {
  const words = useWords();
  return (
    <section class="stated" aria-label={words.t('question.stated')}>
      <dl class="facts">
        {statedRows(approval, words).map((row) => (
          <Fact key={row.name} label={row.label} kind={row.name}>
            <StatedText row={row} approval={approval} watcher={watcher} />
          </Fact>
        ))}
        {approval.status === 'pending' && approval.expiresAt !== undefined ? <Expiry at={approval.expiresAt} /> : null}
      </dl>
    </section>
  );
}

function StatedText({ approval, watcher, row }: FactsProps & { readonly row: StatedRow }): JSX.Element {
  if (row.name === 'tier') return <TierBadge tier={approval.tier} whole />;
  return <ShownText name={row.name} text={row.text} watcher={watcher} />;
}

function Fact(props: {
  readonly label: string;
  readonly kind: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`fact fact-${props.kind}`}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Expiry({ at }: { readonly at: number }): JSX.Element {
  const { t, duration } = useWords();
  const left = at - useNow(1000);
  return (
    <Fact label={t('question.expires')} kind={left < 60_000 ? 'soon' : 'plain'}>
      {left > 0 ? duration(left) : t('question.expired')}
    </Fact>
  );
}
