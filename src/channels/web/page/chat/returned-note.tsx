import type { JSX } from 'preact';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { Words } from '../words/words.ts';
import type { Returned } from './chat-shape.ts';

/** Tells that what was sent last stands in the field again, and why. */
export function ReturnedNote({ returned }: { readonly returned: Returned | undefined }): JSX.Element {
  const words = useWords();
  return (
    <p class={`phase phase-${returned === undefined ? 'idle' : 'failed'}`} role="status">
      {returned === undefined ? null : <span>{why(returned, words)}</span>}
    </p>
  );
}

function why({ why: reason }: Returned, { t }: Words): string {
  if (reason.type === 'refused') return t('chat.returned.refused', { problem: visible(reason.problem) });
  return t(reason.type === 'busy' ? 'chat.returned.busy' : 'chat.returned.lost');
}
