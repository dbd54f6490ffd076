import type { AuditRow } from '../core/audit-log.ts';

/** What one stream of events may show, and where it finds it. */
export interface FeedSource {
  /** The status of an approval; `undefined` when the reader may not know of it. */
  approval(id: string): Promise<string | undefined>;
  /** The status of a thread; `undefined` when it is not the reader's. */
  thread(key: string): Promise<{ readonly threadId: string; readonly status: string } | undefined>;
  /** Rows of the audit log behind `after` that the reader may see, and the last one that was looked at. */
  audit(after: number): Promise<{ readonly rows: readonly AuditRow[]; readonly last: number }>;
  /** Whether the credential that opened the stream still holds. */
  isStillAllowed(): Promise<boolean>;
}

/** Changes that are kept for a reader who is slow; beyond it the reader is told to read everything anew. */
const MAX_PENDING = 1000;

/** Streams that one principal may have open. */
const MAX_STREAMS = 20;

/** How long a credential that was looked at is believed, in milliseconds. */
const BELIEVED_MS = 1000;

const encoder = new TextEncoder();

/**
 * One reader. What happens is only noted, each approval and thread once, however often it changes; the text is made when
 * the reader takes it. So a reader that never reads costs a bounded amount of memory.
 */
class Feed {
  readonly #source: FeedSource;
  readonly #keepAliveMs: number;
  readonly #approvals = new Set<string>();
  readonly #threads = new Set<string>();
  #after: number;
  #hasRows = false;
  #isBehind = false;
  #isOver = false;
  #lookedAt = performance.now();
  #wake: () => void = () => undefined;

  constructor(source: FeedSource, after: number, keepAliveMs: number) {
    this.#source = source;
    this.#after = after;
    this.#keepAliveMs = keepAliveMs;
  }

  approvalChanged(id: string): void {
    this.#note(this.#approvals, id);
  }

  threadChanged(key: string): void {
    this.#note(this.#threads, key);
  }

  auditGrew(): void {
    this.#hasRows = true;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** The next text to send, `undefined` at the end. */
  async next(): Promise<string | undefined> {
    let text: string | undefined = '';
    while (text === '' && !this.#isOver) text = await this.#step();
    return this.#isOver ? undefined : text;
  }

  /** What there is to send now: nothing yet is empty, `undefined` is the end. */
  async #step(): Promise<string | undefined> {
    const isIdle = this.#isIdle();
    if (isIdle && (await this.#waited())) return '';
    if (this.#isOver || !(await this.#isAllowed(isIdle ? 0 : BELIEVED_MS))) return undefined;
    return isIdle ? ':\n\n' : this.#take();
  }

  /** A credential that ended ends the stream, however much there is to tell. */
  async #isAllowed(believed: number): Promise<boolean> {
    if (performance.now() - this.#lookedAt < believed) return true;
    this.#lookedAt = performance.now();
    return this.#source.isStillAllowed();
  }

  #note(pending: Set<string>, id: string): void {
    if (pending.size < MAX_PENDING) pending.add(id);
    else this.#isBehind = true;
    this.#wake();
  }

  #isIdle(): boolean {
    return !this.#hasRows && !this.#isBehind && this.#approvals.size === 0 && this.#threads.size === 0;
  }

  async #take(): Promise<string> {
    if (this.#isBehind) {
      this.#isBehind = false;
      this.#approvals.clear();
      this.#threads.clear();
      return eventText('resync', {});
    }
    const [approval] = this.#approvals;
    if (approval !== undefined) {
      this.#approvals.delete(approval);
      const status = await this.#source.approval(approval);
      return status === undefined ? '' : eventText('approval', { id: approval, status });
    }
    const [thread] = this.#threads;
    if (thread !== undefined) {
      this.#threads.delete(thread);
      const shown = await this.#source.thread(thread);
      return shown === undefined ? '' : eventText('thread', { ...shown });
    }
    return this.#takeRows();
  }

  async #takeRows(): Promise<string> {
    if (!this.#hasRows) return '';
    this.#hasRows = false;
    const { rows, last } = await this.#source.audit(this.#after);
    if (last > this.#after) this.#hasRows = true;
    this.#after = Math.max(this.#after, last);
    return rows.map((row) => eventText('audit', { ...row })).join('');
  }

  /** Waits for something to happen; `false` when nothing did for so long that the connection needs a sign of life. */
  #waited(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), this.#keepAliveMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(!this.#isOver);
      };
    });
  }
}

/** All streams of events of a hub. */
export class EventFeeds {
  readonly #feeds = new Map<Feed, string>();
  readonly #keepAliveMs: number;

  constructor(keepAliveSeconds: number) {
    this.#keepAliveMs = keepAliveSeconds * 1000;
  }

  /** How many streams are open. */
  get size(): number {
    return this.#feeds.size;
  }

  /** Whether a principal has as many streams as one may have. */
  isFull(reader: string): boolean {
    return [...this.#feeds.values()].filter((of) => of === reader).length >= MAX_STREAMS;
  }

  /** An approval was created or changed. */
  approvalChanged(id: string): void {
    for (const feed of this.#feeds.keys()) feed.approvalChanged(id);
  }

  /** A run began or ended on a thread, or it waits. */
  threadChanged(key: string): void {
    for (const feed of this.#feeds.keys()) feed.threadChanged(key);
  }

  /** Rows were added to the audit log. */
  auditGrew(): void {
    for (const feed of this.#feeds.keys()) feed.auditGrew();
  }

  /**
   * A new stream of server-sent events.
   *
   * @param reader - Id of the principal who reads.
   * @param after - The audit row behind which it begins.
   * @param left - Fires when the reader has gone.
   */
  open(reader: string, source: FeedSource, after: number, left: AbortSignal): ReadableStream<Uint8Array> {
    const feed = new Feed(source, after, this.#keepAliveMs);
    this.#feeds.set(feed, reader);
    const end = (): void => {
      feed.end();
      this.#feeds.delete(feed);
    };
    left.addEventListener('abort', end, { once: true });
    if (left.aborted) end();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => controller.enqueue(encoder.encode(':\n\n')),
        async pull(controller) {
          const text = await feed.next().catch(() => undefined);
          if (text !== undefined) return controller.enqueue(encoder.encode(text));
          end();
          controller.close();
        },
        cancel: end,
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends all streams. */
  close(): void {
    for (const feed of this.#feeds.keys()) feed.end();
    this.#feeds.clear();
  }
}

function eventText(event: string, data: Readonly<Record<string, unknown>>): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
