import type { Language } from '../core/i18n.ts';
import { en } from './messages/en.ts';
import { enHub } from './messages/en-hub.ts';
import { tr } from './messages/tr.ts';
import { trHub } from './messages/tr-hub.ts';
import { programName } from './program-name.ts';

/** A key of the command line's own message tables. */
export type CliMessageKey = keyof typeof en | keyof typeof enHub;

/** Says one message in the language it was made for. */
export type Say = (key: CliMessageKey, values?: Readonly<Record<string, string | number>>) => string;

/** Both tables, for checks that neither misses a key or a value. */
export const cliMessages: Readonly<Record<Language, Readonly<Record<CliMessageKey, string>>>> = {
  en: { ...en, ...enHub },
  tr: { ...tr, ...trHub },
};

/** Speaks one language. `{tau}` is what to type for this program. */
export function speak(language: Language): Say {
  return (key, given = {}) => {
    const values = { tau: programName(), ...given };
    return cliMessages[language][key].replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(values, name) ? String(Reflect.get(values, name)) : whole,
    );
  };
}
