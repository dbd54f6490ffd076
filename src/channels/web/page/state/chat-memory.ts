import type { ChatItem } from '../chat/chat-item.ts';
import { freshId } from './fresh-id.ts';

/** What the page remembers of the conversations while somebody looks at other places, until the tab is closed. */
export interface ChatMemory {
  /** The conversation that was looked at last; `undefined`: the one that is new. */
  last: string | undefined;
  /** The id of the conversation that nobody has said anything in yet. */
  fresh: string;
  /** Those that were begun in this tab. The hub knows them once it has heard the first message. */
  readonly begun: Set<string>;
  /** What was written and not sent. */
  readonly drafts: Map<string, string>;
  /** What was sent and may not have been heard. */
  readonly unsure: Map<string, readonly ChatItem[]>;
}

/** Nothing yet. */
export function newChatMemory(): ChatMemory {
  return { last: undefined, fresh: freshId(), begun: new Set(), drafts: new Map(), unsure: new Map() };
}
