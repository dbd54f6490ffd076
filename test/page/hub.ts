import type { JSONValue } from '../../src/core/json.ts';
import { startStubHub } from './stub/stub-hub.ts';

/** What the tests of the page need of a hub. Ada is signed in; whatever is asked is asked for her unless it says so. */
export interface PageHub {
  /** Without a slash at the end. */
  readonly url: string;
  /** A fresh one-time link that signs Ada in. */
  loginLink(): Promise<string>;
  /** Puts a call of the model to the gate, which asks; resolves to the question's id. */
  ask(tool: 'unlock_door' | 'run_shell' | 'set_heating', args: JSONValue, by?: string): Promise<string>;
  /** Somebody answers on another channel. */
  decide(id: string, decision: 'approved' | 'rejected', channel: string): Promise<void>;
  /** The question was approved and began to run, and then the process died. */
  lose(id: string): Promise<void>;
  /** Ends every event stream and refuses new ones. */
  disconnect(): void;
  /** Allows them again. */
  reconnect(): void;
  /** What the page has sent to `POST /api/approvals/{id}/…`, in order. */
  readonly sent: readonly { readonly path: string; readonly body: unknown }[];
  close(): Promise<void>;
}

/**
 * Starts the hub that the page is tested against: a stub that speaks docs/guide/http-api.md over the real gate and store.
 * It stands here until the hub itself can be started.
 */
export function startHub(): Promise<PageHub> {
  return startStubHub();
}
