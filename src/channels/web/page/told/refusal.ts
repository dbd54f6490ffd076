import { invalidArgumentsText, refusalText, unknownToolText } from '../../../../core/verdict.ts';

/**
 * Why a call was not run though nobody was asked, read from what the model was told.
 *
 * | type | meaning |
 * |---|---|
 * | `no_fit` | its arguments are not what the tool takes; `problem` says what is wrong |
 * | `no_tool` | there is no such tool, or not for this caller |
 * | `refused` | it was not approved |
 */
export type Refused =
  | { readonly type: 'no_fit'; readonly problem: string }
  | { readonly type: 'no_tool' }
  | { readonly type: 'refused' };

/** Reads a result that is an error. `undefined`: it is an error of the tool itself, which did run. */
export function readRefusal(tool: string, result: string): Refused | undefined {
  const problem = problemOf(tool, result);
  if (problem !== undefined) return { type: 'no_fit', problem };
  if (result === unknownToolText(tool)) return { type: 'no_tool' };
  return result.startsWith(refusalText(tool)) ? { type: 'refused' } : undefined;
}

/** What is wrong with arguments, out of the sentence that is meant for the model. */
export function problemOf(tool: string, text: string): string | undefined {
  const [before = '', after = ''] = invalidArgumentsText(tool, '\n\n').split('\n\n');
  const fits = text.startsWith(before) && text.endsWith(after) && text.length >= before.length + after.length;
  return fits ? text.slice(before.length, text.length - after.length) : undefined;
}
