/**
 * Which pieces of a question have been on the screen. A question may be approved once every piece has, and no part of
 * it is still folded away.
 */
export class ShownLedger {
  readonly #expected = new Set<string>();
  readonly #seen = new Set<string>();
  #folded: boolean;

  /** @param folded - Whether there are parts that are not laid out yet. */
  constructor(folded: boolean) {
    this.#folded = folded;
  }

  /** A piece is laid out and will be watched. */
  expect(key: string): void {
    this.#expected.add(key);
  }

  /** A piece was on the screen, whole. */
  see(key: string): void {
    if (this.#expected.has(key)) this.#seen.add(key);
  }

  /** All parts are laid out. */
  unfold(): void {
    this.#folded = false;
  }

  get complete(): boolean {
    return !this.#folded && this.#expected.size > 0 && this.#seen.size === this.#expected.size;
  }

  /** Whether a piece has been on the screen. */
  has(key: string): boolean {
    return this.#seen.has(key);
  }
}

/** What the browser tells about an element that it watches. */
export interface Sighting {
  readonly intersectionRatio: number;
  readonly boundingClientRect: { readonly height: number; readonly width: number };
}

/** Whether all of a piece is on the screen: nine tenths of it, since a browser rounds. One without a size is hidden. */
export function wasShown({ intersectionRatio, boundingClientRect }: Sighting): boolean {
  const empty = boundingClientRect.width === 0 || boundingClientRect.height === 0;
  return !empty && intersectionRatio >= 0.9;
}
