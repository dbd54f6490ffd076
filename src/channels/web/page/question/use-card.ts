import { useEffect, useState } from 'preact/hooks';
import { useDeskEvent } from '../state/page-context.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Answered, Unsure } from './deciding.ts';
import { type Answer, type Note, useAnswering } from './use-answer.ts';
import { whyAgain } from './why-again.ts';

/** What was done on a card, and what can be done. */
export interface Card {
  readonly busy: boolean;
  readonly note: Note | undefined;
  /** Why the last edit does not fit the tool. */
  readonly unfit: string | undefined;
  readonly unsure: Unsure | undefined;
  /** Whether the decision was taken on this card. */
  readonly mine: boolean;
  readonly answer: (answer: Answer) => void;
  readonly withdraw: () => void;
  readonly lookAgain: () => void;
}

/** Answers the question of one card and keeps what there is to tell about the answer. */
export function useCard(
  approval: Approval,
  { reload, onReplaced }: { readonly reload: () => Promise<boolean>; readonly onReplaced: Replaced },
): Card {
  const { busy, send, order } = useAnswering();
  const [note, setNote] = useState<Note>();
  const [unfit, setUnfit] = useState<string>();
  const [unsure, setUnsure] = useState<Unsure>();
  const [mine, setMine] = useState(false);
  // An answer that was lost may still have been heard: what the hub says next settles it.
  const lookAgain = (): void => {
    void reload().then((read) => {
      if (read) setUnsure((before) => (before === undefined ? undefined : 'open'));
    });
  };
  useDeskEvent('back', () => {
    if (unsure !== undefined) lookAgain();
  });
  useEffect(() => {
    if (approval.status !== 'pending') setUnsure(undefined);
  }, [approval.status]);
  const goOn = (result: Answered, given: Answer): void => {
    if (result.type === 'invalid') return;
    if (result.type === 'asked_again') onReplaced(result.approval, whyAgain(approval, result.approval, given));
    else if (result.type === 'decided' && result.approval.id !== approval.id) onReplaced(result.approval, undefined);
    else lookAgain();
  };
  const answer = async (given: Answer): Promise<void> => {
    const result = await send(approval, given);
    if (result === undefined) return;
    setUnfit(result.type === 'invalid' ? result.problem : undefined);
    setNote(result.type === 'changed' ? { key: 'question.changed', tone: 'bad' } : undefined);
    setUnsure(result.type === 'failed' ? result.unsure : undefined);
    setMine(result.type === 'decided' || result.type === 'failed');
    goOn(result, given);
  };
  const withdraw = (): void => {
    setMine(true);
    void order(approval, 'cancel').then((reply) => {
      if (reply?.ok !== true) setUnsure('away');
      lookAgain();
    });
  };
  return { busy, note, unfit, unsure, mine, answer: (given) => void answer(given), withdraw, lookAgain };
}

/** Shows another question in this one's place: the edit of it, with why it has to be looked at, or a new attempt. */
export type Replaced = (approval: Approval, key: Note['key'] | undefined) => void;
