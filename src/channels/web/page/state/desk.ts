import type { Clock } from '../../../../core/platform.ts';
import type { HubClient } from '../wire/hub-client.ts';
import { type Connection, type EventSourceLike, LiveFeed } from '../wire/live-feed.ts';
import {
  type Approval,
  type AuditRow,
  approvalEventShape,
  approvalsShape,
  auditRowShape,
  threadEventShape,
} from '../wire/shapes.ts';

/** What the page knows whatever it shows. */
export interface DeskState {
  readonly connection: Connection;
  /** Open questions, oldest first; `undefined` until they were read once. */
  readonly pending: readonly Approval[] | undefined;
}

/** What a view can listen to. */
export interface DeskEvents {
  readonly approval: { readonly id: string; readonly status: string };
  readonly thread: { readonly threadId: string; readonly status: string };
  readonly audit: AuditRow;
  /** From now on the hub tells of changes, for the first time or again: what happened before is unknown, read again. */
  readonly back: undefined;
}

/** What a desk is made of. */
export interface DeskParts {
  readonly hub: HubClient;
  readonly openEvents: () => EventSourceLike;
  readonly clock: Clock;
  /** From 0 to 1, by chance: `Math.random`. */
  readonly chance: () => number;
}

/** More open questions than this are not loaded at once. */
const MOST_PENDING = 500;

type Listener<K extends keyof DeskEvents> = (data: DeskEvents[K]) => void;

/** Keeps the list of open questions current and tells views what happens in the hub. */
export class Desk {
  readonly #hub: HubClient;
  readonly #feed: LiveFeed;
  readonly #watchers = new Set<() => void>();
  readonly #listeners: { readonly [K in keyof DeskEvents]: Set<Listener<K>> } = {
    approval: new Set(),
    thread: new Set(),
    audit: new Set(),
    back: new Set(),
  };
  #state: DeskState = { connection: 'connecting', pending: undefined };
  #reading: Promise<void> | undefined;
  #readAgain = false;

  constructor({ hub, openEvents, clock, chance }: DeskParts) {
    this.#hub = hub;
    this.#feed = new LiveFeed({
      open: openEvents,
      clock,
      chance,
      names: ['approval', 'thread', 'audit', 'resync'],
      onEvent: (name, data) => this.#event(name, data),
      onConnection: (connection) => this.#connection(connection),
    });
  }

  get state(): DeskState {
    return this.#state;
  }

  /** Connects, or tries again at once. */
  connect(): void {
    this.#feed.connect();
  }

  /** Tries again at once if the connection is not live: something happened that may have brought it back. */
  nudge(): void {
    if (this.#state.connection !== 'live') this.connect();
  }

  /** Ends it. */
  close(): void {
    this.#feed.close();
  }

  /** Calls `watcher` after every change of the state; returns its undo. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Listens to what happens; returns its undo. */
  on<K extends keyof DeskEvents>(name: K, listener: Listener<K>): () => void {
    const listeners: Set<Listener<K>> = this.#listeners[name];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Reads the open questions again. While they are being read, further calls lead to one more reading. */
  refresh(): Promise<void> {
    if (this.#reading !== undefined) {
      this.#readAgain = true;
      return this.#reading;
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    do {
      this.#readAgain = false;
      const pending = await this.#readPending();
      if (pending !== undefined) this.#change({ pending });
    } while (this.#readAgain);
  }

  async #readPending(): Promise<readonly Approval[] | undefined> {
    const pending: Approval[] = [];
    let cursor: string | null | undefined;
    do {
      const after: string = cursor == null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const reply = await this.#hub.get(`/api/approvals?status=pending&limit=100&order=oldest${after}`, approvalsShape);
      if (!reply.ok) return undefined;
      pending.push(...reply.value.approvals);
      cursor = reply.value.nextCursor;
    } while (cursor != null && pending.length < MOST_PENDING);
    return pending;
  }

  #connection(connection: Connection): void {
    this.#change({ connection });
    if (connection === 'lost') void this.refresh();
    // The first time too: what was read before the hub told of changes may have changed since.
    if (connection === 'live') this.#missed();
  }

  #missed(): void {
    void this.refresh();
    this.#tell('back', undefined);
  }

  #event(name: string, data: unknown): void {
    if (name === 'approval') this.#approval(data);
    // The hub had more to tell than it keeps for one reader.
    if (name === 'resync') this.#missed();
    if (name === 'thread') {
      const read = threadEventShape.safeParse(data);
      if (read.success) this.#tell('thread', read.data);
    }
    if (name === 'audit') {
      const read = auditRowShape.safeParse(data);
      if (read.success) this.#tell('audit', read.data);
    }
  }

  #approval(data: unknown): void {
    const read = approvalEventShape.safeParse(data);
    void this.refresh();
    if (read.success) this.#tell('approval', read.data);
  }

  #tell<K extends keyof DeskEvents>(name: K, data: DeskEvents[K]): void {
    const listeners: Set<Listener<K>> = this.#listeners[name];
    for (const listener of [...listeners]) listener(data);
  }

  #change(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change };
    for (const watcher of [...this.#watchers]) watcher();
  }
}
