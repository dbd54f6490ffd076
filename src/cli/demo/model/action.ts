import type { DoorTool, ToolInput, Topic } from './intent.ts';

/**
 * One thing that the demo model will do for a request, in order.
 *
 * | kind | meaning |
 * |---|---|
 * | `call` | call a tool |
 * | `note_previous` | note what the call before this one brought; nothing when that failed |
 * | `ask` | ask back |
 * | `say` | talk |
 */
export type Action =
  | { readonly kind: 'call'; readonly tool: string; readonly input: ToolInput }
  | { readonly kind: 'note_previous' }
  | { readonly kind: 'ask'; readonly question: Question }
  | { readonly kind: 'say'; readonly topic: Topic | 'unknown' };

/** What the demo model needs to know before it can go on. */
export type Question =
  | { readonly about: 'door'; readonly tool: DoorTool }
  | { readonly about: 'celsius' }
  | { readonly about: 'note' }
  | {
      readonly about: 'arguments';
      readonly tool: string;
      readonly input: ToolInput;
      readonly missing: readonly string[];
    };
