import { jsonEquals } from '../../../../core/json.ts';
import type { Approval } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';
import type { Answer } from './use-answer.ts';

/** Why an edit did not count at once, and what the person has to do now. */
export function whyAgain(
  before: Pick<Approval, 'effect'>,
  now: Pick<Approval, 'mayDecide' | 'arguments' | 'effect'>,
  { editedArguments }: Pick<Answer, 'editedArguments'>,
): WordKey {
  if (!now.mayDecide) return 'question.again.other';
  if (editedArguments !== undefined && !jsonEquals(editedArguments, now.arguments)) return 'question.again.values';
  return now.effect === before.effect ? 'question.again.look' : 'question.again.effect';
}
