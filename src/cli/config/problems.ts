import type { z } from 'zod';
import { closest } from '../../core/did-you-mean.ts';
import type { Say } from '../messages.ts';
import { lineOf } from './locate.ts';
import { expectedAt, isSection, KEYS } from './schema.ts';
import { shownValue } from './shown-value.ts';

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
    const spot = spotOf(issue.path);
    if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownKey(spot, name, text, say));
    return [wrongValue(spot, text, say)];
  });
  return [...new Set(lines)];
}

/** Where in a configuration something is wrong. */
interface Spot {
  readonly section: string;
  readonly key: string | undefined;
  /** Which row of a list of tables, from 0. */
  readonly row: number | undefined;
  /** The way to the value. */
  readonly path: readonly PropertyKey[];
}

function spotOf(path: readonly PropertyKey[]): Spot {
  const [section = '', second, third, fourth] = path;
  if (section === 'principals' && typeof second === 'number') {
    return { section, key: textOf(third), row: second, path: path.slice(0, 3) };
  }
  if (section === 'policy' && second === 'deciders' && typeof third === 'number') {
    return { section: 'policy.deciders', key: textOf(fourth), row: third, path: path.slice(0, 4) };
  }
  return { section: String(section), key: textOf(second), row: undefined, path: path.slice(0, 2) };
}

function textOf(part: PropertyKey | undefined): string | undefined {
  return part === undefined ? undefined : String(part);
}

/** `tau.toml:12`, or only the file where the line is not known. */
export function place({ path, toml }: ConfigText, section: string, key?: string, row?: number): string {
  const line = lineOf(toml, section, key, row);
  return line === undefined ? path : `${path}:${line}`;
}

/** `[section] key`, or `[[section]] key` in a list of tables. */
function keyName({ section, row }: Pick<Spot, 'section' | 'row'>, key: string): string {
  return row === undefined ? `[${section}] ${key}` : `[[${section}]] ${key}`;
}

function unknownKey(spot: Spot, name: string, text: ConfigText, say: Say): string {
  const { section, row } = spot;
  if (!isSection(section)) {
    const where = place(text, name);
    const sections = Object.keys(KEYS).filter((known) => !known.includes('.'));
    const known = sections.map((known) => `[${known}]`).join(', ');
    return say('config.unknown_section', { where, key: name, hint: hintFor(name, sections, say), known });
  }
  const where = place(text, section, name, row);
  const key = keyName(spot, name);
  if (section === 'model' && SECRET.test(name)) return say('config.secret', { where, key });
  const known = KEYS[section].join(', ');
  return say('config.unknown_key', { where, key, hint: hintFor(name, KEYS[section], say), known });
}

function hintFor(name: string, candidates: readonly string[], say: Say): string {
  const word = closest(name, candidates);
  return word === undefined ? '' : say('usage.did_you_mean', { word });
}

function wrongValue(spot: Spot, text: ConfigText, say: Say): string {
  const { section, key, row, path } = spot;
  if (!isSection(section) || key === undefined) {
    const expected = say('expected.section', { key: section });
    return say('config.value', {
      where: place(text, section, undefined, row),
      key: section,
      value: shownValue(undefined, valueAt(text.value, path)),
      expected,
    });
  }
  return say('config.value', {
    where: place(text, section, key, row),
    key: keyName(spot, key),
    value: shownValue(key, valueAt(text.value, path)),
    expected: say(expectedAt(section, key)),
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    current =
      typeof current === 'object' && current !== null && Object.hasOwn(current, key)
        ? Reflect.get(current, key)
        : undefined;
  }
  return current;
}
