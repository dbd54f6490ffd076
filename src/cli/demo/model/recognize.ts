import { DOORS, type Door } from '../world-state.ts';
import { freeTextIntent } from './free-text.ts';
import type { DoorTool, Intent, Topic } from './intent.ts';
import { type Concept, conceptsOf, conceptsOfToken } from './lexicon.ts';
import { type Token, tokenize } from './token.ts';

/** One clause, looked at once. */
interface Clause {
  readonly tokens: readonly Token[];
  readonly concepts: ReadonlySet<Concept>;
  readonly doors: readonly Door[];
  readonly number: number | undefined;
}

/**
 * A rule fits when the clause is about at least one concept of every group in `all` and about none in `none`. The
 * first rule that fits wins, so the special ones stand first.
 */
interface Rule {
  readonly all: readonly (readonly (Concept | 'number')[])[];
  readonly none?: readonly Concept[];
  readonly intent: (clause: Clause) => Intent;
}

const SIDES: readonly Concept[] = ['door', 'front', 'back'];

const RULES: readonly Rule[] = [
  {
    all: [['negation'], ['lock', 'unlock', 'open', 'delete', 'set', 'note', 'door', 'temperature']],
    intent: () => say('declined'),
  },
  { all: [['negation']], none: ['help', 'greet', 'thanks'], intent: () => say('declined') },
  {
    all: [
      ['state', 'lock', 'unlock', 'open'],
      ['yes-no question', 'check'],
    ],
    intent: door('read_lock'),
  },
  { all: [['check'], SIDES], intent: door('read_lock') },
  { all: [['set', 'degree', 'temperature'], ['number']], none: ['note', 'yes-no question'], intent: setThermostat },
  { all: [['set'], ['temperature', 'degree']], none: ['note'], intent: setThermostat },
  { all: [['temperature', 'degree']], none: ['note'], intent: simple('read_thermostat') },
  { all: [['delete'], ['note']], intent: simple('delete_notes') },
  { all: [['note'], ['read', 'check']], intent: simple('read_notes') },
  { all: [['unlock']], intent: door('unlock_door') },
  { all: [['open'], [...SIDES, 'all', 'it']], intent: door('unlock_door') },
  { all: [['lock']], intent: door('lock_door') },
  { all: [['state'], SIDES], intent: door('read_lock') },
  { all: [['help']], intent: () => say('help') },
  { all: [['thanks']], intent: () => say('thanks') },
  { all: [['bye']], intent: () => say('bye') },
  { all: [['greet']], intent: () => say('greet') },
];

/** What one clause wants; `undefined` when the demo model does not understand it. */
export function recognize(text: string): Intent | undefined {
  const clause = look(text);
  return freeTextIntent(text) ?? ruleIntent(clause) ?? fragmentIntent(clause) ?? questionAboutHelp(text);
}

/** Whether the message takes an open question back. */
export function isNeverMind(text: string): boolean {
  const concepts = conceptsOf(tokenize(text));
  return concepts.has('never mind') || /^\s*(no|hayir|hayır)\W*$/i.test(text);
}

function look(text: string): Clause {
  const tokens = tokenize(text);
  const number = tokens.find(({ kind }) => kind === 'number');
  return {
    tokens,
    concepts: conceptsOf(tokens),
    doors: doorsIn(tokens),
    number: number === undefined ? undefined : Number(number.raw),
  };
}

function ruleIntent(clause: Clause): Intent | undefined {
  return RULES.find((rule) => fits(rule, clause))?.intent(clause);
}

function fits(rule: Rule, { concepts, number }: Clause): boolean {
  const has = (concept: Concept | 'number'): boolean =>
    concept === 'number' ? number !== undefined : concepts.has(concept);
  return rule.all.every((group) => group.some(has)) && !rule.none?.some(has);
}

/** A piece that is no request of its own: only doors, only a number, or the bare word "notes". */
function fragmentIntent({ doors, number, tokens, concepts }: Clause): Intent | undefined {
  if (doors.length > 0) return { kind: 'side', doors };
  if (number !== undefined && tokens.length <= 3) return { kind: 'number', value: number };
  if (concepts.has('note') && tokens.length <= 2) return { kind: 'simple', tool: 'read_notes' };
  return undefined;
}

function questionAboutHelp(text: string): Intent | undefined {
  return /^\s*\?+\s*$|what (can|do) you|who are you|kimsin|ne(ler)? yap/i.test(text) ? say('help') : undefined;
}

/** The doors that are named, in the order in which they are named. */
function doorsIn(tokens: readonly Token[]): readonly Door[] {
  const named = tokens.flatMap((token, index) => conceptsOfToken(token, tokens[index + 1]));
  const sides = named.filter((concept): concept is Door => concept === 'front' || concept === 'back');
  if (sides.length > 0) return [...new Set(sides)];
  const wantsAll =
    named.includes('all') || tokens.some(({ folded }) => folded === 'doors' || folded.startsWith('kapilar'));
  return wantsAll ? DOORS : [];
}

function door(tool: DoorTool): Rule['intent'] {
  return ({ doors, concepts }) => ({
    kind: 'door',
    tool,
    doors,
    refersBack: concepts.has('it') || !concepts.has('door'),
  });
}

function simple(tool: 'read_thermostat' | 'read_notes' | 'delete_notes'): Rule['intent'] {
  return () => ({ kind: 'simple', tool });
}

function setThermostat({ number }: Clause): Intent {
  return { kind: 'thermostat', celsius: number };
}

function say(topic: Topic): Intent {
  return { kind: 'say', topic };
}
