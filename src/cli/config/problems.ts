import type { z } from 'zod';
import { closest } from '../did-you-mean.ts';
import type { Say } from '../messages.ts';
import { lineOf } from './locate.ts';
import { expectedAt, isSection, KEYS, type SectionName } from './schema.ts';

/** A configuration file with its text, for messages that point into it. */
export interface ConfigText {
  readonly path: string;
  readonly toml: string;
  /** The parsed text. */
  readonly value: unknown;
}

/** Names that are likely to hold a secret itself. */
const SECRET = /key|secret|token|password/i;

/** One line for each thing that is wrong: where, which key, which value, what to give instead. */
export function describeIssues(issues: readonly z.core.$ZodIssue[], text: ConfigText, say: Say): readonly string[] {
  const lines = issues.flatMap((issue) => {
    const [section = '', key] = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownKey(section, name, text, say));
    return [wrongValue(section, key, text, say)];
  });
  return [...new Set(lines)];
}

/** `tau.toml:12`, or only the file where the line is not known. */
export function place({ path, toml }: ConfigText, section: string, key?: string): string {
  const line = lineOf(toml, section, key);
  return line === undefined ? path : `${path}:${line}`;
}

function unknownKey(section: string, name: string, text: ConfigText, say: Say): string {
  if (!isSection(section)) {
    const where = place(text, name);
    const sections = Object.keys(KEYS);
    const known = sections.map((known) => `[${known}]`).join(', ');
    return say('config.unknown_section', { where, key: name, hint: hintFor(name, sections, say), known });
  }
  const where = place(text, section, name);
  const key = `[${section}] ${name}`;
  if (section === 'model' && SECRET.test(name)) return say('config.secret', { where, key });
  const known = KEYS[section].join(', ');
  return say('config.unknown_key', { where, key, hint: hintFor(name, KEYS[section], say), known });
}

function hintFor(name: string, candidates: readonly string[], say: Say): string {
  const word = closest(name, candidates);
  return word === undefined ? '' : say('usage.did_you_mean', { word });
}

function wrongValue(section: string, key: string | undefined, text: ConfigText, say: Say): string {
  if (!isSection(section) || key === undefined) {
    const expected = say('expected.section', { key: section });
    return say('config.value', {
      where: place(text, section),
      key: section,
      value: shown(text.value, [section]),
      expected,
    });
  }
  return say('config.value', {
    where: place(text, section, key),
    key: `[${section}] ${key}`,
    value: shownValue(section, key, text.value),
    expected: say(expectedAt(section, key)),
  });
}

/** A value in a message; what may be a pasted key is not repeated. */
function shownValue(section: SectionName, key: string, value: unknown): string {
  return key === 'api_key_env' ? '"…"' : shown(value, [section, key]);
}

function shown(value: unknown, path: readonly string[]): string {
  let current = value;
  for (const key of path) {
    current =
      typeof current === 'object' && current !== null && Object.hasOwn(current, key)
        ? Reflect.get(current, key)
        : undefined;
  }
  if (current === undefined) return '(missing)';
  const text = typeof current === 'number' ? String(current) : JSON.stringify(current, bigintText);
  return text.length > 80 ? `${text.slice(0, 79).toWellFormed()}…` : text;
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
