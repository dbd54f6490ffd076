/** Objects that may be forgotten: what nobody else holds any more leaves the list by itself. */
export class WeakList<T extends object> {
  readonly #refs = new Set<WeakRef<T>>();

  /** Adds an object that is not in the list. */
  add(item: T): void {
    this.#drop();
    this.#refs.add(new WeakRef(item));
  }

  /** Those that are still there. */
  living(): readonly T[] {
    this.#drop();
    return [...this.#refs].flatMap((ref) => ref.deref() ?? []);
  }

  #drop(): void {
    for (const ref of this.#refs) if (ref.deref() === undefined) this.#refs.delete(ref);
  }
}
