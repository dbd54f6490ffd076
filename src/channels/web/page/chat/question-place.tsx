import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { LiveApproval, useApproval } from '../question/live-approval.tsx';
import { SettledLine } from '../question/settled-line.tsx';
import type { Approval } from '../wire/shapes.ts';

interface PlaceProps {
  readonly approval: Approval;
  readonly onReplaced: (approval: Approval) => void;
}

/** A question at its place in the conversation: in full while it is open, then a line. */
export function QuestionPlace({ approval, onReplaced }: PlaceProps): JSX.Element {
  // One that was open here stays the same card, which tells how it ended and keeps the focus.
  const wasOpen = useRef(false);
  wasOpen.current ||= approval.status === 'pending';
  if (!wasOpen.current) return <SettledLine approval={approval} />;
  return <OpenPlace approval={approval} onReplaced={onReplaced} />;
}

function OpenPlace({ approval, onReplaced }: PlaceProps): JSX.Element {
  const load = useApproval(approval.id);
  return <LiveApproval id={approval.id} load={load} whole={false} onReplaced={onReplaced} />;
}
