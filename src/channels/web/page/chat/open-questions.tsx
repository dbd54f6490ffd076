import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LiveApproval } from '../question/live-approval.tsx';
import { useDesk } from '../state/page-context.ts';

/**
 * The open questions of a conversation, in full. One that was decided stays, with who decided it, until the
 * conversation goes on.
 */
export function OpenQuestions({ threadId }: { readonly threadId: string }): JSX.Element | null {
  const { pending = [] } = useDesk();
  const [ids, setIds] = useState<readonly string[]>([]);
  const open = pending.filter((approval) => approval.threadId === threadId).map(({ id }) => id);
  const key = open.join(' ');
  // `key` is `open`, comparable.
  useEffect(() => setIds((before) => [...new Set([...before, ...open])]), [key]);
  if (ids.length === 0) return null;
  return (
    <div class="open-questions">
      {ids.map((id, place) => (
        <LiveApproval
          // An edit takes the place of the question it replaces.
          key={place}
          id={id}
          whole={false}
          onReplaced={(next) => setIds((before) => [...new Set(before.map((each) => (each === id ? next : each)))])}
        />
      ))}
    </div>
  );
}
