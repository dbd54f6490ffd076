import { sealJson } from '../../core/json.ts';
import type { StoredValue, ValueStore } from '../../core/value-store.ts';

/** The reference store of small documents: everything in this process, nothing survives it. */
export class MemoryValueStore implements ValueStore {
  readonly #kinds = new Map<string, Map<string, StoredValue>>();

  async get(kind: string, id: string, now: number): Promise<StoredValue | undefined> {
    const value = this.#kinds.get(kind)?.get(id);
    return value === undefined || isOver(value, now) ? undefined : value;
  }

  async put(kind: string, value: StoredValue): Promise<void> {
    const ofKind = this.#kinds.get(kind) ?? new Map<string, StoredValue>();
    this.#kinds.set(kind, ofKind);
    // A map keeps the order in which keys came.
    ofKind.delete(value.id);
    ofKind.set(value.id, Object.freeze({ ...value, value: sealJson(value.value) }));
  }

  async take(kind: string, id: string): Promise<boolean> {
    return this.#kinds.get(kind)?.delete(id) ?? false;
  }

  async list(kind: string, now: number, prefix = ''): Promise<readonly StoredValue[]> {
    const ofKind = [...(this.#kinds.get(kind)?.values() ?? [])];
    return ofKind
      .filter((value) => value.id.startsWith(prefix) && !isOver(value, now))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async latest(
    kind: string,
    now: number,
    { prefix = '', limit }: { readonly prefix?: string; readonly limit: number },
  ): Promise<readonly StoredValue[]> {
    const ofKind = [...(this.#kinds.get(kind)?.values() ?? [])].reverse();
    return ofKind.filter((value) => value.id.startsWith(prefix) && !isOver(value, now)).slice(0, limit);
  }
}

function isOver({ expiresAt }: StoredValue, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}
