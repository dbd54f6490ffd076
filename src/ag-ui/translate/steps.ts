import { STEP_FINISHED, STEP_STARTED } from './events.ts';
import { type Output, send } from './output.ts';
import type { State } from './state.ts';

/** A node of a multi-agent run begins. One name is open once. */
export function startStep(state: State, name: string, out: Output[]): State {
  if (state.steps.includes(name)) return state;
  out.push(send({ type: STEP_STARTED, stepName: name }));
  return { ...state, steps: [...state.steps, name] };
}

/** A node ends. */
export function stopStep(state: State, name: string, out: Output[]): State {
  if (!state.steps.includes(name)) return state;
  out.push(send({ type: STEP_FINISHED, stepName: name }));
  return { ...state, steps: state.steps.filter((open) => open !== name) };
}

/** Ends every node that is open, the last one first. */
export function stopAllSteps(state: State, out: Output[]): State {
  return state.steps.toReversed().reduce((current, name) => stopStep(current, name, out), state);
}
