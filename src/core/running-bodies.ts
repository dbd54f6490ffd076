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
  readonly #waiting: (() => void)[] = [];

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
    if (this.#bodies.size > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Resolves once none is at work. */
  async idle(): Promise<void> {
    while (this.#bodies.size > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
