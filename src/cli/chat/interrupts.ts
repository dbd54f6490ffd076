import type { TerminalSession } from '../../channels/terminal/index.ts';

/**
 * What Ctrl-C does: during a turn it cancels the turn, a second time it quits; at the prompt it quits. Listens from
 * the start until `close`.
 */
export class Interrupts {
  readonly #quit = new AbortController();
  readonly #undo: readonly (() => void)[];
  #turn: AbortController | undefined;

  /** @param onCancel - Called when a turn is about to be cancelled. */
  constructor(session: TerminalSession, onCancel: () => void) {
    const onInterrupt = (): void => {
      if (this.#turn === undefined || this.#turn.signal.aborted) return this.#quit.abort();
      onCancel();
      this.#turn.abort();
    };
    const onSignal = (): void => session.interrupt();
    process.on('SIGINT', onSignal);
    this.#undo = [session.onInterrupt(onInterrupt), () => process.off('SIGINT', onSignal)];
  }

  /** Fires when the person wants to leave. */
  get quitSignal(): AbortSignal {
    return this.#quit.signal;
  }

  /** A signal that the next Ctrl-C fires, until `endTurn`. */
  startTurn(): AbortSignal {
    this.#turn = new AbortController();
    return this.#turn.signal;
  }

  /** From here on Ctrl-C quits. */
  endTurn(): void {
    this.#turn = undefined;
  }

  /** Stops listening. */
  close(): void {
    for (const undo of this.#undo) undo();
  }
}
