import type { Language } from '../../../core/i18n.ts';
import type { Action } from './action.ts';
import type { ToolInput } from './intent.ts';
import type { Phrasebook, ToolHint } from './phrasebook.ts';
import { phrasebooks } from './phrasebooks.ts';
import type { Plan } from './request.ts';
import type { FinishedCall } from './turn.ts';

/** What the model does next: call one tool, or answer. */
export type Step =
  | { readonly kind: 'call'; readonly tool: string; readonly input: ToolInput }
  | { readonly kind: 'answer'; readonly text: string };

/**
 * The next step of a plan, after the calls that were already made for it. The answer tells of every call only what
 * its result reports.
 */
export function nextStep(plan: Plan, calls: readonly FinishedCall[], tools: readonly ToolHint[]): Step {
  const phrases = phrasebooks[plan.language];
  const told: string[] = [];
  const open = [...calls];
  let previous: FinishedCall | undefined;
  for (const action of plan.actions) {
    const wanted = toolCallOf(action, previous, plan.language);
    if (wanted === undefined) {
      told.push(...spoken(action, phrases, tools));
      continue;
    }
    if (!tools.some(({ name }) => name === wanted.tool)) {
      told.push(phrases.unavailable(wanted.tool));
      previous = undefined;
      continue;
    }
    previous = open.shift();
    if (previous === undefined) return { kind: 'call', ...wanted };
    told.push(report(previous, phrases));
  }
  return { kind: 'answer', text: told.join('\n') };
}

/** The call that an action needs; `undefined` when it is only talk, or builds on a call that brought nothing. */
function toolCallOf(
  action: Action,
  previous: FinishedCall | undefined,
  language: Language,
): { readonly tool: string; readonly input: ToolInput } | undefined {
  if (action.kind === 'call') return action;
  if (action.kind !== 'note_previous' || previous?.status !== 'success') return undefined;
  const text = phrasebooks[language].noteOf(previous.tool, previous.data) ?? report(previous, phrasebooks[language]);
  return { tool: 'add_note', input: { text } };
}

function spoken(action: Action, phrases: Phrasebook, tools: readonly ToolHint[]): readonly string[] {
  switch (action.kind) {
    case 'say':
      return [phrases.say(action.topic, tools)];
    case 'ask':
      return [phrases.ask(action.question)];
    case 'call':
    case 'note_previous':
      return [];
    default:
      return action satisfies never;
  }
}

const REFUSED = /^The user did not approve this action/;
const UNKNOWN = /^Tool '.*' is not registered; it was not run/;
const REASON = /\nReason: (?<reason>[\s\S]+)$/;

/** What to tell of one call: what its result reports, and nothing that it does not. */
function report({ tool, input, status, text, data }: FinishedCall, phrases: Phrasebook): string {
  if (status === 'success') return phrases.done(tool, input, data) ?? phrases.finished(tool, text);
  if (UNKNOWN.test(text)) return phrases.unavailable(tool);
  if (!REFUSED.test(text)) return phrases.failed(tool, text);
  const reason = REASON.exec(text)?.groups?.reason;
  const notDone = phrases.notDone(tool, input);
  return reason === undefined ? notDone : `${notDone} ${phrases.reason(reason)}`;
}
