import type { RunAgentInput } from '@ag-ui/core';
import { z } from 'zod';
import { readThreadKey, threadKey, threadPrefix } from '../ag-ui/thread/thread-key.ts';
import type { Principal } from '../core/call.ts';
import type { Clock } from '../core/platform.ts';
import type { StoredValue, ValueStore } from '../core/value-store.ts';

const KIND = 'thread';

const MAX_TITLE = 80;

const stored = z.strictObject({ title: z.string(), updatedAt: z.number() });

/** One conversation of a principal. */
export interface ThreadEntry {
  readonly key: string;
  readonly principal: string;
  readonly threadId: string;
  /** Begin of the first thing that was said. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** The list of all conversations, and whose they are. */
export class ThreadIndex {
  readonly #values: ValueStore;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(values: ValueStore, clock: Pick<Clock, 'now'>) {
    this.#values = values;
    this.#clock = clock;
  }

  /** Notes that something is said in a thread, before anything else happens there. */
  async note(key: string, { messages }: Pick<RunAgentInput, 'messages'>): Promise<void> {
    const known = await this.get(key);
    const title = known === undefined || known.title === '' ? titleOf(messages) : known.title;
    await this.#values.put(KIND, { id: key, value: { title, updatedAt: this.#clock.now() } });
  }

  /** Notes that something happened in a thread by itself. */
  async touch(key: string): Promise<void> {
    const known = await this.get(key);
    if (known === undefined) return;
    await this.#values.put(KIND, { id: key, value: { title: known.title, updatedAt: this.#clock.now() } });
  }

  /** Takes conversations in which nothing has happened since a time off the list; returns how many. */
  async forget(before: number, isKept: (key: string) => Promise<boolean>): Promise<number> {
    let forgotten = 0;
    for (const { key, updatedAt } of entriesOf(await this.#values.list(KIND, this.#clock.now()))) {
      if (updatedAt >= before || (await isKept(key))) continue;
      if (await this.#values.take(KIND, key)) forgotten += 1;
    }
    return forgotten;
  }

  /** A conversation by its key. */
  async get(key: string): Promise<ThreadEntry | undefined> {
    const found = await this.#values.get(KIND, key, this.#clock.now());
    return found === undefined ? undefined : entryOf(found.id, found.value);
  }

  /** A principal's conversation; `undefined` when there is none, whoever else has one of that id. */
  of(threadId: string, principal: Principal): Promise<ThreadEntry | undefined> {
    // The key names the principal, so it is nobody else's.
    return this.get(threadKey(threadId, principal));
  }

  /** A principal's conversations, the last used first; at most `limit`. */
  async latest(principal: Principal, limit: number): Promise<readonly ThreadEntry[]> {
    const prefix = threadPrefix(principal);
    // Those of somebody whose keys have no prefix stand among those of others, so more may have to be looked at.
    for (let asked = limit; ; asked *= 4) {
      const values = await this.#values.latest(KIND, this.#clock.now(), { prefix, limit: asked });
      const found = entriesOf(values).filter((entry) => entry.principal === principal.id);
      if (found.length >= limit || values.length < asked) return found.slice(0, limit);
    }
  }
}

function entriesOf(values: readonly StoredValue[]): readonly ThreadEntry[] {
  return values.map(({ id, value }) => entryOf(id, value)).filter((entry) => entry !== undefined);
}

function entryOf(key: string, value: unknown): ThreadEntry | undefined {
  const parsed = stored.safeParse(value);
  return parsed.success ? { key, ...readThreadKey(key), ...parsed.data } : undefined;
}

function titleOf(messages: RunAgentInput['messages']): string {
  const first = messages.find(({ role }) => role === 'user');
  const text = typeof first?.content === 'string' ? first.content.trim() : '';
  return text.slice(0, MAX_TITLE).toWellFormed();
}
