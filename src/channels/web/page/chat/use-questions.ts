import { useCallback, useEffect, useState } from 'preact/hooks';
import { useDesk, useDeskEvent, usePage } from '../state/page-context.ts';
import { isSame } from '../told/who.ts';
import { type Approval, approvalShape, approvalsShape } from '../wire/shapes.ts';

/** Pages of 100 questions that are read to find those of one conversation; older ones stand in the history. */
const MOST_PAGES = 5;

/** The questions of one conversation, open and over. */
export interface Questions {
  readonly approvals: readonly Approval[];
  /** Adds one that was just made, or is known to have changed. */
  readonly add: (approval: Approval) => void;
}

/**
 * Keeps the questions of a conversation of the reader current.
 *
 * @param wanted - Whether there may be any: nobody asks about a conversation that was never read.
 */
export function useQuestions(threadId: string, wanted: boolean): Questions {
  const { hub, me } = usePage();
  const { pending = [] } = useDesk();
  const [known, setKnown] = useState<ReadonlyMap<string, Approval>>(new Map());
  const add = useCallback((approval: Approval) => setKnown((before) => withNewer(before, [approval])), []);
  // Two people may have conversations of one id.
  const isOurs = (approval: Approval): boolean =>
    approval.threadId === threadId && isSame(approval.requester, me.principal);
  const read = async (): Promise<void> => {
    let cursor: string | null | undefined;
    for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
      const query = new URLSearchParams({ order: 'newest', limit: '100' });
      if (cursor !== undefined) query.set('cursor', cursor);
      const reply = await hub.get(`/api/approvals?${query}`, approvalsShape);
      if (!reply.ok) return;
      const { approvals, nextCursor } = reply.value;
      setKnown((before) => withNewer(before, approvals.filter(isOurs)));
      cursor = nextCursor ?? null;
    }
  };
  useEffect(() => {
    if (wanted) void read();
  }, [threadId, wanted]);
  useDeskEvent('back', () => void (wanted && read()));
  useDeskEvent('approval', ({ id }) => {
    void hub.get(`/api/approvals/${encodeURIComponent(id)}`, approvalShape).then((reply) => {
      if (reply.ok && isOurs(reply.value.approval)) add(reply.value.approval);
    });
  });
  const all = withNewer(known, pending.filter(isOurs));
  return { approvals: [...all.values()], add };
}

/** What happened to an approval last wins, in whichever order it was read. */
function withNewer(
  before: ReadonlyMap<string, Approval>,
  approvals: readonly Approval[],
): ReadonlyMap<string, Approval> {
  const newer = approvals.filter(({ id, updatedAt }) => updatedAt >= (before.get(id)?.updatedAt ?? 0));
  return new Map([...before, ...newer.map((approval) => [approval.id, approval] as const)]);
}
