import { useState } from 'preact/hooks';
import type { JSONValue } from '../../../../core/json.ts';
import { usePage } from '../state/page-context.ts';
import type { Reply } from '../wire/hub-client.ts';
import { type Approval, approvalShape, decisionShape } from '../wire/shapes.ts';
import type { WordKey } from '../words/en.ts';
import type { Values } from '../words/words.ts';
import { type Answered, answered } from './deciding.ts';
import { shownDigest } from './shown-rows.ts';

/** What somebody answers. */
export interface Answer {
  readonly decision: 'approved' | 'rejected';
  readonly reason?: string;
  readonly editedArguments?: JSONValue;
}

/** Something to tell about the last answer. */
export interface Note {
  readonly key: WordKey;
  readonly values?: Values;
  readonly tone: 'plain' | 'bad';
}

/** What the hub says to an order: the approval that is the result. */
type Ordered = Reply<{ readonly approval: Approval }>;

/** Sends answers to questions, one at a time. */
export interface Answering {
  readonly busy: boolean;
  readonly send: (approval: Approval, answer: Answer) => Promise<Answered | undefined>;
  /** Withdraws a question, or orders a new attempt; resolves to the hub's answer. */
  readonly order: (approval: Approval, what: 'cancel' | 'retry') => Promise<Ordered | undefined>;
}

/** Sends answers; a second one waits for nobody and is dropped while the first is on its way. */
export function useAnswering(): Answering {
  const { hub, desk, words } = usePage();
  const [busy, setBusy] = useState(false);
  const alone = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (busy) return undefined;
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
      void desk.refresh();
    }
  };
  const send = (approval: Approval, answer: Answer): Promise<Answered | undefined> =>
    alone(async () => {
      const path = `/api/approvals/${encodeURIComponent(approval.id)}/decision`;
      const reply = await hub.post(path, { ...answer, ...shown(approval) }, decisionShape);
      return answered(reply, { id: approval.id, edited: answer.editedArguments !== undefined });
    });
  const shown = (approval: Approval): { readonly digest: string; readonly shownDigest: string } => ({
    digest: approval.digest,
    shownDigest: shownDigest(approval, words),
  });
  const order = (approval: Approval, what: 'cancel' | 'retry'): Promise<Ordered | undefined> =>
    alone(async () => {
      // Withdrawing is for the one who asked, who needs no proof of having read it.
      const body = what === 'cancel' ? {} : shown(approval);
      return hub.post(`/api/approvals/${encodeURIComponent(approval.id)}/${what}`, body, approvalShape);
    });
  return { busy, send, order };
}
