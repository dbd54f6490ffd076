import type { JSONValue } from '../../../core/json.ts';
import type { ToolInput } from './intent.ts';
import type { Phrasebook, ToolHint } from './phrasebook.ts';
import { numberOf, textOf, textsOf } from './results.ts';

type Done = (input: ToolInput, data: JSONValue) => string | undefined;

const DONE: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['read_thermostat', (_input, data) => given(numberOf(data, 'celsius'), (celsius) => `It is ${celsius} °C.`)],
  ['set_thermostat', (_input, data) => given(numberOf(data, 'celsius'), (c) => `The heating is set to ${c} °C.`)],
  ['read_lock', (_input, data) => doorState(data)],
  ['unlock_door', (_input, data) => doorState(data, 'now ')],
  ['lock_door', (_input, data) => doorState(data, 'now ')],
  ['add_note', (_input, data) => given(textOf(data, 'added'), (text) => `Noted: “${text}”.`)],
  ['read_notes', (_input, data) => given(textsOf(data, 'notes'), notes)],
  ['delete_notes', (_input, data) => given(numberOf(data, 'deleted'), deleted)],
  ['run_shell', ({ command }, data) => given(textOf(data, 'output'), (output) => ran(String(command), output))],
]);

const NOT_DONE: ReadonlyMap<string, (input: ToolInput) => string> = new Map<string, (input: ToolInput) => string>([
  ['unlock_door', ({ door }) => `unlock the ${door} door`],
  ['lock_door', ({ door }) => `lock the ${door} door`],
  ['delete_notes', () => 'delete the notes'],
  ['run_shell', ({ command }) => `run \`${command}\``],
]);

const SAID: Readonly<Record<Exclude<Parameters<Phrasebook['say']>[0], 'help' | 'unknown'>, string>> = {
  greet: 'Hello! What can I do for you? “help” shows what I understand.',
  thanks: 'You are welcome.',
  bye: 'Goodbye. “/quit” ends this program.',
  declined: 'All right, I will not do that.',
};

/** What the demo model says in English. */
export const english: Phrasebook = {
  done: (tool, input, data) => DONE.get(tool)?.(input, data),
  finished: (tool, text) => (text === '' ? `${tool} is done.` : `${tool} answered: ${text}`),
  notDone: (tool, input) => `I did not ${NOT_DONE.get(tool)?.(input) ?? `run ${tool}`}: it was not approved.`,
  reason: (reason) => `The reason given: ${reason}`,
  failed: (tool, problem) => `${tool} did not work: ${problem}`,
  unavailable: (tool) => `I cannot do that here: there is no tool ${tool}.`,
  noteOf(tool, data) {
    if (tool === 'read_thermostat') return given(numberOf(data, 'celsius'), (celsius) => `Temperature: ${celsius} °C`);
    if (tool === 'read_lock' || tool === 'unlock_door' || tool === 'lock_door')
      return given(textOf(data, 'state'), (state) => `The ${textOf(data, 'door')} door is ${state}`);
    return tool === 'run_shell' ? textOf(data, 'output')?.trim() : undefined;
  },
  ask(question) {
    switch (question.about) {
      case 'door':
        return `Which door should I ${question.tool === 'unlock_door' ? 'unlock' : 'lock'}: front or back?`;
      case 'celsius':
        return 'To how many degrees?';
      case 'note':
        return 'What should the note say?';
      case 'arguments':
        return `For ${question.tool} I still need: ${question.missing.join(', ')}.`;
      default:
        return question satisfies never;
    }
  },
  say(topic, tools) {
    if (topic === 'help') return help(tools);
    return topic === 'unknown' ? `I did not understand that. ${help(tools)}` : SAID[topic];
  },
};

function given<T>(value: T | undefined, phrase: (value: T) => string): string | undefined {
  return value === undefined ? undefined : phrase(value);
}

function doorState(data: JSONValue, now = ''): string | undefined {
  const door = textOf(data, 'door');
  const state = textOf(data, 'state');
  return door === undefined || state === undefined ? undefined : `The ${door} door is ${now}${state}.`;
}

function notes(texts: readonly string[]): string {
  if (texts.length === 0) return 'There are no notes.';
  return `Your notes:\n${texts.map((text, index) => `${index + 1}. ${text}`).join('\n')}`;
}

function deleted(count: number): string {
  return count === 0 ? 'There was no note to delete.' : `I deleted ${count} ${count === 1 ? 'note' : 'notes'}.`;
}

function ran(command: string, output: string): string {
  return output.trim() === '' ? `\`${command}\` printed nothing.` : `\`${command}\` printed:\n${output.trimEnd()}`;
}

const WORLD_HELP = [
  'unlock the front door',
  'is the back door locked?',
  "what's the temperature and note it down",
  'set the heating to 22',
  'note: buy milk',
  'show my notes',
  'delete the notes',
  'run `ls`',
];

function help(tools: readonly ToolHint[]): string {
  const world = tools.some(({ known }) => known) ? WORLD_HELP : [];
  const named = tools.filter(({ known }) => !known).map(({ name, description }) => `use ${name} (${description})`);
  const lines = [...world, ...named].map((line) => `- ${line}`);
  return lines.length === 0
    ? 'I have no tools here, so I can only talk. I am a small demo model.'
    : `I am a small demo model; try one of these:\n${lines.join('\n')}`;
}
