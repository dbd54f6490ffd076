import type { JSONValue } from '../../../core/json.ts';
import type { Door } from '../world-state.ts';

/** A tool of the demo world that takes a door. */
export type DoorTool = 'unlock_door' | 'lock_door' | 'read_lock';

/** Input of a tool call. */
export type ToolInput = { readonly [key: string]: JSONValue };

/**
 * What one clause of a request wants.
 *
 * | kind | meaning |
 * |---|---|
 * | `door` | a door tool; without `doors` it is still open which one |
 * | `thermostat` | set the temperature; without `celsius` it is still open to what |
 * | `note` | write a note with this text |
 * | `note_result` | write down what came out before |
 * | `simple` | a tool without arguments |
 * | `shell` | run a command |
 * | `offered` | a tool that is not of the demo world; `missing` names the arguments that are still open |
 * | `say` | only talk |
 * | `side` | names doors and nothing else: an answer, or half of a request |
 * | `number` | a number and nothing else: an answer |
 */
export type Intent =
  | { readonly kind: 'door'; readonly tool: DoorTool; readonly doors: readonly Door[]; readonly refersBack: boolean }
  | { readonly kind: 'thermostat'; readonly celsius: number | undefined }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'note_result'; readonly of: 'read_thermostat' | undefined }
  | { readonly kind: 'simple'; readonly tool: 'read_thermostat' | 'read_notes' | 'delete_notes' }
  | { readonly kind: 'shell'; readonly command: string }
  | { readonly kind: 'offered'; readonly tool: string; readonly input: ToolInput; readonly missing: readonly string[] }
  | { readonly kind: 'say'; readonly topic: Topic }
  | { readonly kind: 'side'; readonly doors: readonly Door[] }
  | { readonly kind: 'number'; readonly value: number };

/** What the demo model talks about without a tool. */
export type Topic = 'greet' | 'help' | 'thanks' | 'bye' | 'declined';
