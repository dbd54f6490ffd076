import type { ToolBehavior } from '../../src/ag-ui/config.ts';
import type { ResultPart, TranslatorInput } from '../../src/ag-ui/translate/input.ts';
import { finish, step } from '../../src/ag-ui/translate/machine.ts';
import type { Output } from '../../src/ag-ui/translate/output.ts';
import { behaviorLookup, type Rules } from '../../src/ag-ui/translate/rules.ts';
import { initialState, type State } from '../../src/ag-ui/translate/state.ts';
import { counter, line, runRules } from './translate.ts';

/** What is special about a run. */
export interface Setting {
  readonly frontend?: readonly string[];
  readonly announced?: readonly string[];
  readonly past?: readonly string[];
  readonly behaviors?: Record<string, ToolBehavior>;
}

/** The rules of a run that is special in some ways. */
export function rulesOf({ frontend, announced, past = [], behaviors }: Setting): Rules {
  return {
    ...runRules(frontend, announced),
    isPastCall: (toolUseId) => past.includes(toolUseId),
    behaviorOf: behaviorLookup(behaviors),
    newId: counter(),
  };
}

/** Steps the machine through some inputs. */
export function play(
  inputs: readonly TranslatorInput[],
  setting: Setting = {},
): { outputs: readonly Output[]; state: State } {
  const rules = rulesOf(setting);
  const outputs: Output[] = [];
  let state = initialState();
  for (const input of inputs) {
    const next = step(state, input, rules);
    outputs.push(...next.outputs);
    state = next.state;
  }
  return { outputs, state };
}

/** Everything that follows from the inputs, one line each. */
export function told(inputs: readonly TranslatorInput[], setting: Setting = {}): readonly string[] {
  return play(inputs, setting).outputs.map(brief);
}

/** The same with the end of the stream. */
export function toldToTheEnd(inputs: readonly TranslatorInput[], setting: Setting = {}): readonly string[] {
  const { outputs, state } = play(inputs, setting);
  return [...outputs, ...finish(state).outputs].map(brief);
}

/** An output in one line. */
export function brief(output: Output): string {
  switch (output.type) {
    case 'event':
      return line(output.event);
    case 'message':
      return `${output.snapshot ? 'snapshot' : 'message'} ${output.message.id}`;
    case 'state':
      return `state ${JSON.stringify(output.state)}`;
    case 'hook':
      return `hook ${output.hook}`;
    case 'halt':
      return `halt ${output.reason}`;
    case 'reject':
      return `reject ${output.code} ${output.message}`;
    default:
      return output satisfies never;
  }
}

export const text = (words: string): TranslatorInput => ({ type: 'text', text: words });
export const stop: TranslatorInput = { type: 'block_stop' };
export const done: TranslatorInput = { type: 'tools_done' };
export const again = (brokenOff: boolean): TranslatorInput => ({ type: 'message_start', brokenOff });
export const call = (toolUseId: string, name = 'look', ...deltas: readonly string[]): readonly TranslatorInput[] => [
  { type: 'tool_start', toolUseId, name },
  ...deltas.map((delta): TranslatorInput => ({ type: 'tool_args', delta })),
  stop,
];
export const result = (
  toolUseId: string,
  content: readonly ResultPart[] = [{ type: 'text', text: 'ok' }],
  status: 'success' | 'error' = 'success',
): TranslatorInput => ({ type: 'tool_result', toolUseId, status, content });

export async function* none(): AsyncGenerator<never> {}
