import type { BaseEvent } from '@ag-ui/core';
import type { StatePayload } from '../config.ts';
import { stateSnapshot } from './events.ts';

/** Whether a value is an object with keys: the only kind of state that tools can add to. */
export function isKeyed(value: unknown): value is StatePayload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What of the client's state it is shown at the start; `messages` has events of its own. */
export function shownState(state: StatePayload): StatePayload {
  const { messages: _messages, ...shown } = state;
  return shown;
}

/**
 * The state of one run. Hooks add keys to it, so what one tool set survives another; values are replaced whole, never
 * merged. Every snapshot shows all of it, since a client replaces its state by it.
 */
export class SharedState {
  readonly #initial: unknown;
  #added: StatePayload = {};
  #touched = false;

  /** @param initial - What the client sent: anything JSON. */
  constructor(initial: unknown) {
    this.#initial = initial;
  }

  /** Adds keys and shows the state. */
  merge(added: StatePayload): BaseEvent {
    this.note(added);
    const base = isKeyed(this.#initial) ? shownState(this.#initial) : {};
    return stateSnapshot({ ...base, ...this.#added });
  }

  /** Adds keys that the client has been shown already. */
  note(added: StatePayload): void {
    this.#touched = true;
    this.#added = { ...this.#added, ...added };
  }

  /** The client's state with everything that was added. State without keys stays as it came unless a tool set some. */
  get current(): unknown {
    if (isKeyed(this.#initial)) return { ...this.#initial, ...this.#added };
    return this.#touched ? this.#added : (this.#initial ?? {});
  }
}
