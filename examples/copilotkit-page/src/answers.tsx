import type { Interrupt } from '@copilotkit/react-core/v2';
import { createContext, type ReactElement, type ReactNode, useContext, useMemo, useState } from 'react';

/**
 * What became of a question.
 *
 * | decision | meaning |
 * |---|---|
 * | `approved` | yes, to exactly what was shown |
 * | `rejected` | no; the model reads the reason |
 * | `cancelled` | not answered, or nobody can answer it any more |
 * | `expired` | nobody answered in time |
 *
 * `by` names somebody else who was faster; without it, it was the person at this page.
 */
export type Answer =
  | { readonly decision: 'approved'; readonly by?: string }
  | { readonly decision: 'rejected'; readonly reason: string; readonly by?: string }
  | { readonly decision: 'cancelled' }
  | { readonly decision: 'expired' };

/** The answers so far, for the conversation to show beside the calls. They decide nothing: the server's record does. */
interface Answers {
  /** By id of the interrupt and, where it has one, of its tool call. */
  readonly given: ReadonlyMap<string, Answer>;
  readonly give: (ids: readonly string[], answer: Answer) => void;
  /** Whether a question is open, so that nothing else can be said. */
  readonly waiting: boolean;
  readonly setWaiting: (waiting: boolean) => void;
}

const AnswersContext = createContext<Answers | undefined>(undefined);

export function AnswersProvider({ children }: { readonly children: ReactNode }): ReactElement {
  const [given, setGiven] = useState<ReadonlyMap<string, Answer>>(new Map());
  const [waiting, setWaiting] = useState(false);
  const answers = useMemo<Answers>(
    () => ({
      given,
      give: (ids, answer) => setGiven((before) => new Map([...before, ...ids.map((id) => [id, answer] as const)])),
      waiting,
      setWaiting,
    }),
    [given, waiting],
  );
  return <AnswersContext value={answers}>{children}</AnswersContext>;
}

export function useAnswers(): Answers {
  const answers = useContext(AnswersContext);
  if (answers === undefined) throw new Error('useAnswers needs an AnswersProvider around it');
  return answers;
}

/** What an answer is kept under: the calls in the conversation show it by the id of the call. */
export function idsOf({ id, toolCallId }: Interrupt): readonly string[] {
  return toolCallId === undefined ? [id] : [id, toolCallId];
}
