import type { CallOrigin } from './call.ts';

/** A tool body that is at work. */
export interface RunningBody {
  readonly tool: string;
  readonly toolUseId?: string;
  readonly origin?: CallOrigin;
  /** The approval that it used up; a body of tier 0 or 1 outside a kept conversation has none. */
  readonly approvalId?: string;
}

/** The bodies that are at work in one process. */
export class RunningBodies {
  readonly #bodies = new Set<RunningBody>();
  readonly #waiting = new Set<() => void>();

  /** All of them, the oldest first. */
  list(): readonly RunningBody[] {
    return [...this.#bodies];
  }

  /** Notes one. The same object ends it. */
  begin(body: RunningBody): void {
    this.#bodies.add(body);
  }

  end(body: RunningBody): void {
    this.#bodies.delete(body);
    for (const look of this.#waiting) look();
  }

  /** Whether one is at work, or one of a run. */
  isAtWork(run?: string): boolean {
    if (run === undefined) return this.#bodies.size > 0;
    return [...this.#bodies].some(({ origin }) => origin?.run === run);
  }

  /** Resolves once none is at work, or none of a run. */
  idle(run?: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.isAtWork(run)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
