import type { Message } from '@ag-ui/core';
import { buildSnapshotMessages } from './snapshot-messages.ts';

/** The messages of a thread: those of the request, then those of the run, in the order in which they were complete. */
export class ThreadLog {
  readonly #messages: Message[];
  readonly #produced: Message[] = [];
  /** Where the request has a result for a call. */
  readonly #results = new Map<string, number>();

  constructor(history: readonly Message[]) {
    this.#messages = buildSnapshotMessages(history);
    for (const [at, message] of this.#messages.entries()) {
      if (message.role === 'tool') this.#results.set(message.toolCallId, at);
    }
  }

  /** Adds a message of the run. A result takes the place of the client's own copy: what the server saw counts. */
  add(message: Message): void {
    this.#produced.push(message);
    const at = message.role === 'tool' ? this.#results.get(message.toolCallId) : undefined;
    if (at === undefined) this.#messages.push(message);
    else this.#messages[at] = message;
  }

  /** The whole thread as it stands; a copy, since what was sent must not change later. */
  all(): readonly Message[] {
    return [...this.#messages];
  }

  /** What the run has added. */
  get produced(): readonly Message[] {
    return this.#produced;
  }
}
