import type { Language } from '../../../core/i18n.ts';
import { DOORS, type Door } from '../world-state.ts';
import type { Action, Question } from './action.ts';
import { splitClauses } from './clauses.ts';
import type { Intent } from './intent.ts';
import { languageOf } from './lexicon.ts';
import { type OfferedTool, offeredCall, offeredIntent } from './offered-tools.ts';
import { isNeverMind, recognize } from './recognize.ts';
import { tokenize } from './token.ts';

/** One request of the user and what the model answered to it in the end. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

/** What the demo model will do for the newest request. */
export interface Plan {
  readonly language: Language;
  readonly actions: readonly Action[];
}

/** What is remembered from one request to the next. */
interface Memory {
  readonly language: Language;
  /** The doors that were spoken of last. */
  readonly doors: readonly Door[];
  /** What the model asked back, and nobody has answered. */
  readonly question: Question | undefined;
  readonly answer: string;
}

/**
 * Plans the newest request. Everything that was said before is read again, in order, so that the same history always
 * gives the same plan.
 *
 * @param tools - Offered tools that are not of the demo world.
 * @param language - Of a user whose words do not tell.
 */
export function planRequest(exchanges: readonly Exchange[], tools: readonly OfferedTool[], language: Language): Plan {
  let memory: Memory = { language, doors: [], question: undefined, answer: '' };
  let actions: readonly Action[] = [{ kind: 'say', topic: 'help' }];
  for (const { request, answer } of exchanges) {
    const read = readRequest(request, memory, tools);
    actions = read.actions;
    memory = { ...read.memory, answer };
  }
  return { language: memory.language, actions };
}

function readRequest(
  text: string,
  memory: Memory,
  tools: readonly OfferedTool[],
): { readonly actions: readonly Action[]; readonly memory: Memory } {
  const language = languageOf(tokenize(text)) ?? memory.language;
  const clauses = splitClauses(text, (clause) => offeredIntent(clause, tools) ?? recognize(clause));
  const intents = clauses.flatMap(({ intent }) => (intent === undefined ? [] : [intent]));
  const meant = answerTo(memory.question, text, intents, tools) ?? worthDoing(intents);
  const { actions, doors } = actionsOf(meant, memory);
  const question = actions.find((action) => action.kind === 'ask')?.question;
  const kept = keepFirstQuestion(actions);
  return {
    actions: kept.length > 0 ? kept : [{ kind: 'say', topic: 'unknown' }],
    memory: { ...memory, language, doors, question },
  };
}

/** Reads a message as the answer to what was asked back; `undefined` when it is none. */
function answerTo(
  question: Question | undefined,
  text: string,
  intents: readonly Intent[],
  tools: readonly OfferedTool[],
): readonly Intent[] | undefined {
  if (question === undefined) return undefined;
  const onlyFragments = intents.every(({ kind }) => kind === 'side' || kind === 'number');
  if (onlyFragments && isNeverMind(text)) return [{ kind: 'say', topic: 'declined' }];
  if (!onlyFragments) return undefined;
  switch (question.about) {
    case 'door': {
      const doors = intents.flatMap((intent) => (intent.kind === 'side' ? intent.doors : []));
      return doors.length === 0 ? undefined : [{ kind: 'door', tool: question.tool, doors, refersBack: false }];
    }
    case 'celsius': {
      const number = intents.find((intent) => intent.kind === 'number');
      return number === undefined ? undefined : [{ kind: 'thermostat', celsius: number.value }];
    }
    case 'note':
      return [{ kind: 'note', text: text.trim() }];
    case 'arguments': {
      const tool = tools.find(({ name }) => name === question.tool);
      return tool === undefined ? undefined : [offeredCall(tool, text, question.input)];
    }
    default:
      return question satisfies never;
  }
}

/** Leaves out fragments, and small talk beside a request. */
function worthDoing(intents: readonly Intent[]): readonly Intent[] {
  const whole = intents.filter(({ kind }) => kind !== 'side' && kind !== 'number');
  const work = whole.filter(({ kind }) => kind !== 'say');
  return work.length > 0 ? work : whole.slice(0, 1);
}

function actionsOf(
  intents: readonly Intent[],
  memory: Memory,
): { readonly actions: readonly Action[]; readonly doors: readonly Door[] } {
  const actions: Action[] = [];
  let spokenOf: readonly Door[] = [];
  for (const intent of intents) {
    if (intent.kind === 'door') {
      const doors = doorsFor(intent, spokenOf, memory);
      if (doors.length > 0) spokenOf = doors;
      actions.push(...doorActions(intent, doors));
    } else actions.push(...actionsFor(intent, actions, memory));
  }
  return { actions, doors: spokenOf.length > 0 ? spokenOf : memory.doors };
}

function doorsFor(
  intent: Extract<Intent, { kind: 'door' }>,
  spokenOf: readonly Door[],
  memory: Memory,
): readonly Door[] {
  if (intent.doors.length > 0) return intent.doors;
  if (spokenOf.length > 0) return spokenOf;
  if (intent.refersBack && memory.doors.length > 0) return memory.doors;
  return intent.tool === 'read_lock' ? DOORS : [];
}

function doorActions({ tool }: Extract<Intent, { kind: 'door' }>, doors: readonly Door[]): readonly Action[] {
  if (doors.length === 0) return [{ kind: 'ask', question: { about: 'door', tool } }];
  return doors.map((door) => ({ kind: 'call', tool, input: { door } }));
}

function actionsFor(
  intent: Exclude<Intent, { kind: 'door' }>,
  before: readonly Action[],
  memory: Memory,
): readonly Action[] {
  switch (intent.kind) {
    case 'thermostat':
      return intent.celsius === undefined
        ? [{ kind: 'ask', question: { about: 'celsius' } }]
        : [call('set_thermostat', { celsius: intent.celsius })];
    case 'note':
      return [call('add_note', { text: intent.text })];
    case 'note_result':
      return noteResult(intent.of, before, memory);
    case 'simple':
      return [call(intent.tool, {})];
    case 'shell':
      return [call('run_shell', { command: intent.command })];
    case 'offered':
      return intent.missing.length > 0
        ? [
            {
              kind: 'ask',
              question: { about: 'arguments', tool: intent.tool, input: intent.input, missing: intent.missing },
            },
          ]
        : [call(intent.tool, intent.input)];
    case 'say':
      return [{ kind: 'say', topic: intent.topic }];
    case 'side':
    case 'number':
      return [];
    default:
      return intent satisfies never;
  }
}

/** A note of what a call brings, of the last answer, or of something that has to be asked for. */
function noteResult(of: 'read_thermostat' | undefined, before: readonly Action[], memory: Memory): readonly Action[] {
  if (of !== undefined) return [call(of, {}), { kind: 'note_previous' }];
  if (before.at(-1)?.kind === 'call') return [{ kind: 'note_previous' }];
  if (memory.answer !== '' && memory.question === undefined) return [call('add_note', { text: memory.answer })];
  return [{ kind: 'ask', question: { about: 'note' } }];
}

function call(tool: string, input: Extract<Action, { kind: 'call' }>['input']): Action {
  return { kind: 'call', tool, input };
}

/** One question at a time, and after everything that can be done without its answer. */
function keepFirstQuestion(actions: readonly Action[]): readonly Action[] {
  const questions = actions.filter(({ kind }) => kind === 'ask');
  return [...actions.filter(({ kind }) => kind !== 'ask'), ...questions.slice(0, 1)];
}
