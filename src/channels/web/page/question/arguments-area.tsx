import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { showJson } from '../../../../core/escape.ts';
import { useWords } from '../state/page-context.ts';
import { fragmentOf } from '../state/route.ts';
import type { Approval } from '../wire/shapes.ts';
import { partsOf } from './parts.ts';
import { piecesOf } from './pieces.ts';
import { ShownText } from './shown-text.tsx';
import type { ShownWatcher } from './shown-watcher.ts';

interface AreaProps {
  readonly approval: Approval;
  readonly watcher: ShownWatcher | undefined;
}

/**
 * What the model wrote, or a person in its place: marked as such, escaped, in an area of its own that scrolls when it is
 * long.
 */
export function ArgumentsArea({ approval, watcher }: AreaProps): JSX.Element {
  const { t } = useWords();
  const lines = useMemo(() => showJson(approval.arguments), [approval.arguments]);
  const parts = useMemo(() => partsOf(lines), [lines]);
  const [unfolded, setUnfolded] = useState(1);
  const all = unfolded >= parts.length;
  useLayoutEffect(() => {
    if (all) watcher?.unfold();
  }, [all, watcher]);
  const author = t(approval.editOf === undefined ? 'question.written' : 'question.written_person');
  return (
    <section class="written" aria-label={author}>
      <Heading author={author} marks={hasMarks(lines)} editOf={approval.editOf} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard. */}
      <section class="arguments" tabIndex={0} aria-label={t('question.arguments')}>
        {parts.slice(0, unfolded).map((part, place) => (
          // Parts have no other name than their place.
          <Part key={place} lines={part} part={place} watcher={watcher} />
        ))}
      </section>
      {all ? null : (
        <div class="written-more">
          <button type="button" class="quiet" onClick={() => setUnfolded(unfolded + 1)}>
            {t('question.unfold', { shown: unfolded, all: parts.length })}
          </button>
        </div>
      )}
    </section>
  );
}

/** Who wrote it, and how it is to be read. */
function Heading(props: {
  readonly author: string;
  readonly marks: boolean;
  readonly editOf: string | undefined;
}): JSX.Element {
  const { t } = useWords();
  const { author, marks, editOf } = props;
  return (
    <>
      <h3>
        {author} <span class="hint">· {t('question.exactly')}</span>
      </h3>
      {editOf === undefined ? null : (
        <p class="hint">
          <a href={fragmentOf({ view: 'approval', id: editOf })}>{t('question.original')}</a>
        </p>
      )}
      {marks ? <p class="hint">{t('question.marks')}</p> : null}
    </>
  );
}

function hasMarks(lines: readonly string[]): boolean {
  return lines.some((line) => piecesOf(line).some((piece) => piece.escape));
}

function Part(props: {
  readonly lines: readonly string[];
  readonly part: number;
  readonly watcher: ShownWatcher | undefined;
}): JSX.Element {
  return (
    <>
      {props.lines.map((line, index) => {
        const name = `${props.part}.${index}`;
        return (
          <code class="line" key={name}>
            <ShownText text={line} name={name} watcher={props.watcher} />
            {'\n'}
          </code>
        );
      })}
    </>
  );
}
