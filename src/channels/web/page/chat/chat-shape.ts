import type { ChatItem } from './chat-item.ts';
import type { Phase } from './phase.ts';

/** What the person wrote and the hub does not have: it is theirs again. */
export interface Returned {
  readonly text: string;
  /** Why the hub did not take it, in words that are safe to show; `busy`: it was already at work in this conversation. */
  readonly why: { readonly type: 'lost' | 'busy' } | { readonly type: 'refused'; readonly problem: string };
}

/** A conversation as it is shown. */
export interface ChatState {
  readonly items: readonly ChatItem[];
  readonly phase: Phase;
  /** Why it failed, in words that are safe to show. */
  readonly error?: string | undefined;
  /** Whether the run waits for something that is no approval, which this page cannot answer. */
  readonly waitsForOther: boolean;
  /** What was sent last and is the person's again. */
  readonly returned?: Returned | undefined;
}

/** A conversation in which nobody said anything. */
export const EMPTY_CHAT: ChatState = { items: [], phase: 'idle', waitsForOther: false };
