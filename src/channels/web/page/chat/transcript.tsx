import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { showJson } from '../../../../core/escape.ts';
import { MarkedText } from '../parts/marked-text.tsx';
import { visible, visibleProse } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { WordKey } from '../words/en.ts';
import type { ChatItem } from './chat-item.ts';

/** What was said and done, in order. New text is read aloud when it is complete, not letter by letter. */
export function Transcript({ items }: { readonly items: readonly ChatItem[] }): JSX.Element {
  const { t } = useWords();
  const end = useRef<HTMLDivElement>(null);
  const size = items.reduce((sum, item) => sum + (item.type === 'tool' ? item.args.length + 1 : item.text.length), 0);
  // It follows what is written.
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [size, items.length]);
  return (
    <section class="transcript" role="log" aria-label={t('chat.log')} aria-busy={items.some((item) => item.open)}>
      {items.map((item) => (
        <Item key={`${item.type} ${item.id}`} item={item} />
      ))}
      <div ref={end} />
    </section>
  );
}

function Item({ item }: { readonly item: ChatItem }): JSX.Element {
  const { t } = useWords();
  switch (item.type) {
    case 'user':
    case 'assistant':
      return (
        <div class={`said said-${item.type}`}>
          <h2 class="speaker">{t(item.type === 'user' ? 'chat.you' : 'chat.agent')}</h2>
          <p class="prose">
            <MarkedProse text={item.text} />
          </p>
        </div>
      );
    case 'reasoning':
      return (
        <details class="reasoning">
          <summary>{t('chat.reasoning')}</summary>
          <p class="prose">
            <MarkedProse text={item.text} />
          </p>
        </details>
      );
    case 'tool':
      return <ToolItem item={item} />;
    default:
      return item satisfies never;
  }
}

/** Prose in which a backslash is one, so an escape cannot be told from one that was typed: nothing is marked. */
function MarkedProse({ text }: { readonly text: string }): JSX.Element {
  return <>{visibleProse(text)}</>;
}

function ToolItem({ item }: { readonly item: Extract<ChatItem, { type: 'tool' }> }): JSX.Element {
  const { t } = useWords();
  const state: WordKey = item.open
    ? 'chat.tool.calling'
    : item.result === undefined
      ? 'chat.tool.waiting'
      : 'chat.tool.done';
  return (
    <details class={`call ${item.result === undefined ? 'call-open' : 'call-done'}`}>
      <summary>
        <span class="unseen">{t('chat.tool', { tool: '' })}</span>
        <code>{visible(item.name)}</code> <span class="call-state">{t(state)}</span>
      </summary>
      <p class="label">{t('chat.tool.input')}</p>
      <pre class="code-block">
        <MarkedText text={shownJson(item.args)} />
      </pre>
      {item.result === undefined ? null : (
        <>
          <p class="label">{t('chat.tool.output')}</p>
          <pre class="code-block">
            <MarkedText text={shownJson(item.result)} />
          </pre>
        </>
      )}
    </details>
  );
}

/** JSON laid out; what is none, or not yet, as it is. */
function shownJson(text: string): string {
  try {
    return showJson(JSON.parse(text)).join('\n');
  } catch {
    return text.split('\n').map(visible).join('\n');
  }
}
