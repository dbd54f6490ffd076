import { useState } from 'preact/hooks';
import { useDeskEvent } from '../state/page-context.ts';
import type { Failure } from '../wire/hub-client.ts';
import type { Approval } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';
import { useAnswering } from './use-answer.ts';
import type { Replaced } from './use-card.ts';

/** Orders a new attempt, and keeps what there is to tell when that did not work. */
export function useRetry(
  approval: Approval,
  { reload, onReplaced }: { readonly reload: () => Promise<boolean>; readonly onReplaced: Replaced },
): { readonly busy: boolean; readonly problem: WordKey | undefined; readonly retry: () => void } {
  const { busy, order } = useAnswering();
  const [problem, setProblem] = useState<WordKey>();
  const retry = async (): Promise<void> => {
    const reply = await order(approval, 'retry');
    if (reply === undefined) return;
    setProblem(reply.ok ? undefined : problemOf(reply));
    if (reply.ok && reply.value.approval.id !== approval.id) onReplaced(reply.value.approval, 'life.retry_of');
    else await reload();
  };
  // An order that was lost may still have been heard: what the hub says next settles it.
  useDeskEvent('back', () => {
    if (problem !== 'life.retry_away') return;
    void reload().then((read) => {
      if (read) setProblem('life.retry_not');
    });
  });
  return { busy, problem, retry: () => void retry() };
}

function problemOf({ status, code }: Failure): WordKey {
  if (code === 'already_ordered') return 'life.retried';
  if (code === 'void') return 'life.retry_void';
  if (status === 0) return 'life.retry_away';
  return status === 409 || status === 422 || status === 404 ? 'question.changed' : 'life.retry_broke';
}
