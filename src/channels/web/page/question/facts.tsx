import type { ComponentChildren, JSX } from 'preact';
import { CopyButton } from '../parts/copy-button.tsx';
import { TierBadge } from '../parts/tier-badge.tsx';
import { visible } from '../parts/visible.ts';
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
  const rows = statedRows(approval, words);
  const fact = (row: StatedRow): JSX.Element => (
    <Fact key={row.name} label={row.label} kind={kinds[row.name]}>
      <StatedText row={row} approval={approval} watcher={watcher} />
    </Fact>
  );
  return (
    <section class="stated" aria-label={words.t('question.stated')}>
      <h3>{words.t('question.stated')}</h3>
      <dl class="facts">
        {rows.slice(0, -1).map(fact)}
        {approval.status === 'pending' ? <Expiry at={approval.expiresAt} /> : null}
        {rows.slice(-1).map(fact)}
      </dl>
    </section>
  );
}

/** How each row is laid out. */
const kinds: Readonly<Record<StatedRow['name'], string>> = {
  tool: 'tool',
  tier: 'tier',
  effect: 'effect',
  requester: 'half',
  conversation: 'plain',
  asked: 'half',
  digest: 'digest',
};

function StatedText(props: FactsProps & { readonly row: StatedRow }): JSX.Element {
  const { approval, watcher, row } = props;
  switch (row.name) {
    case 'tier':
      return <TierBadge tier={approval.tier} whole />;
    case 'digest':
      return <Digest digest={approval.digest} short={row.text} watcher={watcher} />;
    case 'asked':
      return <>{row.text}</>;
    default:
      return <ShownText name={row.name} text={row.text} watcher={watcher} />;
  }
}

function Fact(props: {
  readonly label: string;
  readonly kind?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`fact fact-${props.kind ?? 'plain'}`}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Expiry({ at }: { readonly at: number | undefined }): JSX.Element {
  const { t, duration } = useWords();
  const now = useNow(1000);
  const left = at === undefined ? undefined : at - now;
  return (
    <Fact label={t('question.expires')} kind={left !== undefined && left < 60_000 ? 'soon' : 'plain'}>
      {left === undefined ? t('question.never') : null}
      {left !== undefined && left > 0 ? t('question.expires_in', { time: duration(left) }) : null}
      {left !== undefined && left <= 0 ? t('question.expired') : null}
    </Fact>
  );
}

function Digest(props: {
  readonly digest: string;
  readonly short: string;
  readonly watcher: ShownWatcher | undefined;
}): JSX.Element {
  const { t } = useWords();
  return (
    <details class="digest">
      <summary>
        <code>
          <ShownText name="digest" text={props.short} watcher={props.watcher} />
        </code>
      </summary>
      <p>
        <span class="unseen">{t('question.digest_whole')}: </span>
        <code>{visible(props.digest)}</code> <CopyButton text={props.digest} label={t('question.copy_digest')} />
      </p>
    </details>
  );
}
