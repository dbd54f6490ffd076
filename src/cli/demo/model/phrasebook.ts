import type { JSONValue } from '../../../core/json.ts';
import type { Action, Question } from './action.ts';
import type { ToolInput } from './intent.ts';

/** What the demo model says, in one language. */
export interface Phrasebook {
  /** What a tool of the demo world reports to have done; `undefined` when its result does not say what it should. */
  readonly done: (tool: string, input: ToolInput, data: JSONValue) => string | undefined;
  /** What another tool answered. */
  readonly finished: (tool: string, text: string) => string;
  /** That a call was not approved, so that nothing happened. */
  readonly notDone: (tool: string, input: ToolInput) => string;
  readonly reason: (reason: string) => string;
  readonly failed: (tool: string, problem: string) => string;
  readonly unavailable: (tool: string) => string;
  /** A result as a note. */
  readonly noteOf: (tool: string, data: JSONValue) => string | undefined;
  readonly ask: (question: Question) => string;
  readonly say: (topic: Extract<Action, { kind: 'say' }>['topic'], tools: readonly ToolHint[]) => string;
}

/** A tool that the model can only be asked for by name. */
export interface ToolHint {
  readonly name: string;
  readonly description: string;
  /** Whether it is one of the demo world. */
  readonly known: boolean;
}
