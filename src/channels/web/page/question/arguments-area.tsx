import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { showJson } from '../../../../core/escape.ts';
import type { JSONValue } from '../../../../core/json.ts';
import { useWords } from '../state/page-context.ts';
import { partsOf } from './parts.ts';
import { ShownText } from './shown-text.tsx';
import type { ShownWatcher } from './shown-watcher.ts';

interface AreaProps {
  readonly value: JSONValue;
  readonly watcher: ShownWatcher | undefined;
}

/** What the model wrote: marked as such, escaped, in an area of its own that scrolls when it is long. */
export function ArgumentsArea({ value, watcher }: AreaProps): JSX.Element {
  const { t } = useWords();
  const parts = useMemo(() => partsOf(showJson(value)), [value]);
  const [unfolded, setUnfolded] = useState(1);
  const all = unfolded >= parts.length;
  useLayoutEffect(() => {
    if (all) watcher?.unfold();
  }, [all, watcher]);
  return (
    <section class="written" aria-label={t('question.written')}>
      <h3>{t('question.written')}</h3>
      <p class="hint">{t('question.written_more')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard. */}
      <section class="arguments" tabIndex={0} aria-label={t('question.arguments')}>
        {parts.slice(0, unfolded).map((lines, part) => (
          // Parts have no other name than their place.
          <Part key={part} lines={lines} part={part} watcher={watcher} />
        ))}
      </section>
      <div class="written-more">
        {all ? null : (
          <button type="button" class="quiet" onClick={() => setUnfolded(unfolded + 1)}>
            {t('question.unfold', { shown: unfolded, all: parts.length })}
          </button>
        )}
      </div>
    </section>
  );
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
