import type { CallOrigin } from './call.ts';
import type { JSONValue } from './json.ts';

/** Whether a tier-2 call may skip the question; only exactly `true` exempts. */
export type Exemption = (tool: string, args: JSONValue, origin: CallOrigin) => boolean;

/** The exemptions of one gate. One that throws counts as not exempt. */
export class Exemptions {
  readonly #exemptions = new Set<{ readonly exempts: Exemption }>();
  readonly #onFailure: (error: unknown, tool: string) => void;

  constructor(onFailure: (error: unknown, tool: string) => void) {
    this.#onFailure = onFailure;
  }

  /** Adds one; returns its undo. */
  add(exempts: Exemption): () => void {
    const entry = { exempts };
    this.#exemptions.add(entry);
    return () => this.#exemptions.delete(entry);
  }

  /** Whether any exemption answers exactly `true`. */
  exempt(tool: string, args: JSONValue, origin: CallOrigin): boolean {
    for (const { exempts } of this.#exemptions) {
      try {
        if (exempts(tool, args, origin) === true) return true;
      } catch (error) {
        this.#onFailure(error, tool);
      }
    }
    return false;
  }
}
