import type { ComponentChildren, JSX } from 'preact';
import { CopyButton } from '../parts/copy-button.tsx';
import { TierBadge } from '../parts/tier-badge.tsx';
import { visible } from '../parts/visible.ts';
import { useNow, useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import { ShownText } from './shown-text.tsx';
import type { ShownWatcher } from './shown-watcher.ts';

/** What tau states about a question, apart from what the model wrote. */
export function Facts(props: { readonly approval: Approval; readonly watcher: ShownWatcher | undefined }): JSX.Element {
  const { approval, watcher } = props;
  const { t, dateTime } = useWords();
  const shown = (name: string, text: string): JSX.Element => (
    <ShownText name={name} text={visible(text)} watcher={watcher} />
  );
  return (
    <section class="stated" aria-label={t('question.stated')}>
      <h3>{t('question.stated')}</h3>
      <dl class="facts">
        <Fact label={t('question.tool')} kind="tool">
          {shown('tool', approval.tool)}
        </Fact>
        <Fact label={t('question.tier')} kind="tier">
          <TierBadge tier={approval.tier} whole />
        </Fact>
        <Fact label={t('question.effect')} kind="effect">
          {shown('effect', approval.effect)}
        </Fact>
        <Fact label={t('question.requester')} kind="half">
          {shown('requester', approval.requester.id)}
        </Fact>
        <Fact label={t('question.conversation')} kind="half">
          {approval.threadId === undefined ? t('question.no_conversation') : shown('thread', approval.threadId)}
        </Fact>
        <Fact label={t('question.asked')} kind="half">
          {dateTime(approval.createdAt)}
        </Fact>
        {approval.status === 'pending' ? <Expiry at={approval.expiresAt} /> : null}
        <Fact label={t('question.digest')} kind="digest">
          <Digest digest={approval.digest} watcher={watcher} />
        </Fact>
      </dl>
    </section>
  );
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
    <Fact label={t('question.expires')} kind={left !== undefined && left < 60_000 ? 'soon' : 'half'}>
      {left === undefined ? t('question.never') : null}
      {left !== undefined && left > 0 ? t('question.expires_in', { time: duration(left) }) : null}
      {left !== undefined && left <= 0 ? t('question.expired') : null}
    </Fact>
  );
}

/** Its first 16 digits tell two questions apart; the whole is one step away. */
function Digest(props: { readonly digest: string; readonly watcher: ShownWatcher | undefined }): JSX.Element {
  const { t } = useWords();
  const short = props.digest.slice(0, 16).replace(/.{4}(?=.)/gu, '$& ');
  return (
    <details class="digest">
      <summary>
        <code>
          <ShownText name="digest" text={visible(short)} watcher={props.watcher} />
        </code>
      </summary>
      <p>
        <span class="unseen">{t('question.digest_whole')}: </span>
        <code>{visible(props.digest)}</code> <CopyButton text={props.digest} label={t('question.copy_digest')} />
      </p>
    </details>
  );
}
