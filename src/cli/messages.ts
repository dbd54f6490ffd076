import type { Language } from '../core/i18n.ts';
import { type CliMessageKey, en } from './messages/en.ts';
import { tr } from './messages/tr.ts';

export type { CliMessageKey } from './messages/en.ts';

/** Says one message in the language it was made for. */
export type Say = (key: CliMessageKey, values?: Readonly<Record<string, string | number>>) => string;

/** Both tables, for checks that neither misses a key or a value. */
export const cliMessages: Readonly<Record<Language, Readonly<Record<CliMessageKey, string>>>> = { en, tr };

/** Speaks one language. */
export function speak(language: Language): Say {
  return (key, values = {}) =>
    cliMessages[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(values[name]) : whole,
    );
}
