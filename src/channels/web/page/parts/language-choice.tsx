import type { JSX } from 'preact';
import type { Language } from '../../../../core/i18n.ts';
import type { Words } from '../words/words.ts';

const names: readonly (readonly [Language, string])[] = [
  ['en', 'English'],
  ['tr', 'Türkçe'],
];

/** Chooses the language of the page. */
export function LanguageChoice(props: {
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
}): JSX.Element {
  return (
    <fieldset class="languages">
      <legend class="unseen">{props.words.t('page.language')}</legend>
      {names.map(([language, name]) => (
        <button
          key={language}
          type="button"
          class="quiet"
          lang={language}
          aria-pressed={language === props.words.language}
          onClick={() => props.setLanguage(language)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}
