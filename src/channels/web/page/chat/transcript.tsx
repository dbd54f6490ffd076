import type { JSX } from 'preact';
import { visibleProse } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import type { ChatItem } from './chat-item.ts';
import { QuestionPlace } from './question-place.tsx';
import { placeQuestions, rootOf } from './questions-of.ts';
import { ToolItem } from './tool-item.tsx';
import type { Questions } from './use-questions.ts';

interface TranscriptProps {
  readonly items: readonly ChatItem[];
  readonly questions: Questions;
}

/**
 * What was said, done and asked, in order of time. New text is read aloud when it is complete, not letter by letter.
 */
export function Transcript({ items, questions }: TranscriptProps): JSX.Element {
  const { t } = useWords();
  const { at, rest } = placeQuestions(items, questions.approvals);
  const place = (approval: Approval): JSX.Element => (
    <QuestionPlace key={rootOf(approval, questions.approvals)} approval={approval} onReplaced={questions.add} />
  );
  return (
    <section class="transcript" role="log" aria-label={t('chat.log')} aria-busy={items.some((item) => item.open)}>
      {items.map((item, index) => {
        const asked = at.get(index) ?? [];
        return (
          <div class="turn" key={`${item.type} ${item.id} ${earlier(items, index)}`}>
            <Item item={item} question={asked.at(-1)} />
            {asked.map(place)}
          </div>
        );
      })}
      {rest.map(place)}
    </section>
  );
}

/** How many items of this id stand before: a model may use one twice. */
function earlier(items: readonly ChatItem[], index: number): number {
  const id = items[index]?.id;
  return items.slice(0, index).filter((item) => item.id === id).length;
}

function Item({ item, question }: { readonly item: ChatItem; readonly question: Approval | undefined }): JSX.Element {
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
      return <ToolItem item={item} question={question} />;
    default:
      return item satisfies never;
  }
}

/** Prose in which a backslash is one, so an escape cannot be told from one that was typed: nothing is marked. */
function MarkedProse({ text }: { readonly text: string }): JSX.Element {
  return <>{visibleProse(text)}</>;
}
