import { useState } from 'preact/hooks';
import { usePage } from '../state/page-context.ts';

/** What somebody writes in a conversation. It is kept while they look elsewhere. */
export function useDraft(threadId: string): {
  readonly draft: string;
  readonly write: (change: string | ((before: string) => string)) => void;
} {
  const { chats } = usePage();
  const [draft, setDraft] = useState(() => chats.drafts.get(threadId) ?? '');
  chats.drafts.set(threadId, draft);
  return { draft, write: setDraft };
}

/** What comes back stands before what was written since. */
export function joinDraft(returned: string, written: string): string {
  return written.trim() === '' ? returned : `${returned}\n${written}`;
}
