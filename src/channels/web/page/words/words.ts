import type { Language } from '../../../../core/i18n.ts';
import { en, type WordKey } from './en.ts';
import { tr } from './tr.ts';

/** What stands for `{name}`. Somebody's text has to be made visible before it gets here. */
export type Values = Readonly<Record<string, string | number>>;

const tables: Readonly<Record<Language, Readonly<Record<WordKey, string>>>> = { en, tr };

/** The page's words in one language, with its dates and lengths of time. */
export interface Words {
  readonly language: Language;
  readonly t: (key: WordKey, values?: Values) => string;
  /** A word for a name that comes from the hub; the name itself where the page has none. */
  readonly named: (group: 'status' | 'channel' | 'audit.how' | 'audit.why', name: string) => string;
  /** A date with its time, to the second. */
  readonly dateTime: (at: number) => string;
  /** A time of today, or a short date. */
  readonly briefly: (at: number, now: number) => string;
  /** A time of the day, to the second. */
  readonly time: (at: number) => string;
  /** A short date with its time, for what may be of any day. */
  readonly shortDate: (at: number) => string;
  /** A length of time, in its largest two units. */
  readonly duration: (milliseconds: number) => string;
}

/** The words of a language. */
export function wordsOf(language: Language): Words {
  const table = tables[language];
  const whole = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const exact = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' });
  const shortDate = (at: number): string => `${day.format(at)}, ${time.format(at)}`;
  const sameDay = (a: number, b: number): boolean => new Date(a).toDateString() === new Date(b).toDateString();
  return {
    language,
    t: (key, values = {}) => fill(table[key], values),
    named: (group, name) => {
      const key = `${group}.${name}`;
      return isWordKey(key) ? table[key] : name;
    },
    dateTime: (at) => whole.format(at),
    briefly: (at, now) => (sameDay(at, now) ? time.format(at) : shortDate(at)),
    time: (at) => exact.format(at),
    shortDate,
    duration: (milliseconds) => duration(language, milliseconds),
  };
}

function isWordKey(key: string): key is WordKey {
  return Object.hasOwn(en, key);
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function duration(language: Language, milliseconds: number): string {
  let left = Math.max(0, Math.round(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count === 0 && !(unit === 'second' && parts.length === 0)) continue;
    if (parts.length < 2) {
      parts.push(new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(count));
    }
  }
  return parts.join(' ');
}

/** Which language to begin with: what the person chose here, else the browser's, else the hub's. */
export function firstLanguage(candidates: readonly (string | null | undefined)[]): Language {
  for (const candidate of candidates) {
    const [base] = (candidate ?? '').toLowerCase().split('-');
    if (base === 'en' || base === 'tr') return base;
  }
  return 'en';
}
