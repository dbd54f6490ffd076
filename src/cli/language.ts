import type { Language } from '../core/i18n.ts';

/** Whether a text names a language that tau speaks. */
export function isLanguage(text: string): text is Language {
  return text === 'en' || text === 'tr';
}

/** The language of the environment's locale; English where it names neither. */
export function environmentLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return /^tr(?![a-z])/i.test(locale) ? 'tr' : 'en';
}
