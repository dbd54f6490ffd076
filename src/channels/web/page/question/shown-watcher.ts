import { ShownLedger, wasShown } from './shown-ledger.ts';

/** Where the pieces of a question can be seen: what scrolls it, and how many pixels at its end something lies over. */
export interface Window {
  readonly scroller: Element | null;
  readonly covered: number;
}

/** Watches the pieces of one question on the screen and keeps the ledger of those that were seen. */
export class ShownWatcher {
  readonly #ledger: ShownLedger;
  readonly #keys = new Map<Element, string>();
  readonly #changed: () => void;
  #observer: IntersectionObserver | undefined;

  constructor(folded: boolean, changed: () => void) {
    this.#ledger = new ShownLedger(folded);
    this.#changed = changed;
  }

  get complete(): boolean {
    return this.#ledger.complete;
  }

  /** Says through which window the pieces are looked at. Before it is known, nothing counts as seen. */
  look({ scroller, covered }: Window): void {
    this.close();
    const observer = new IntersectionObserver(
      (entries) => {
        if (this.#observer === observer) this.#saw(entries);
      },
      { root: scroller, rootMargin: `0px 0px -${Math.ceil(covered)}px 0px`, threshold: [0.9] },
    );
    this.#observer = observer;
    for (const [element, key] of this.#keys) if (!this.#ledger.has(key)) observer.observe(element);
  }

  /** Watches one piece until it was seen; returns its undo. */
  watch(key: string, element: Element): () => void {
    this.#ledger.expect(key);
    this.#keys.set(element, key);
    this.#observer?.observe(element);
    return () => {
      this.#observer?.unobserve(element);
      this.#keys.delete(element);
    };
  }

  /** The first piece in the document that was not on the screen yet. */
  get next(): Element | undefined {
    const missing = [...this.#keys].filter(([, key]) => !this.#ledger.has(key)).map(([element]) => element);
    return missing.reduce<Element | undefined>(
      (first, element) => (precedes(element, first) ? element : first),
      undefined,
    );
  }

  /** All parts are laid out. */
  unfold(): void {
    this.#ledger.unfold();
    this.#changed();
  }

  /** Ends it. */
  close(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  #saw(entries: readonly IntersectionObserverEntry[]): void {
    for (const entry of entries) {
      const key = this.#keys.get(entry.target);
      if (key === undefined || !wasShown(entry)) continue;
      this.#ledger.see(key);
      this.#observer?.unobserve(entry.target);
    }
    this.#changed();
  }
}

function precedes(element: Element, other: Element | undefined): boolean {
  return other === undefined || (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
}
