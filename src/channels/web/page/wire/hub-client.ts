import { type Approval, errorShape, type Shape } from './shapes.ts';

/** An answer of the hub that is not the one that was hoped for. */
export interface Failure {
  readonly ok: false;
  /** The HTTP status; 0 when the hub could not be reached, or its answer could not be read. */
  readonly status: number;
  readonly code?: string;
  /** Meant for a person; not always in their language. */
  readonly message?: string;
  /** With 409: the question as it is now. */
  readonly approval?: Approval;
}

/** What came of a request. */
export type Reply<T> = { readonly ok: true; readonly value: T } | Failure;

/** Speaks the hub's JSON API with the page's cookie. Rejects never. */
export class HubClient {
  readonly #fetch: typeof fetch;
  /** Called when the hub no longer knows the page's session. */
  onSignedOut: () => void = () => undefined;

  constructor(fetcher: typeof fetch = (...args) => globalThis.fetch(...args)) {
    this.#fetch = fetcher;
  }

  /** Reads. */
  get<T>(path: string, shape: Shape<T>, signal?: AbortSignal): Promise<Reply<T>> {
    return this.#request(path, shape, { method: 'GET', ...(signal === undefined ? {} : { signal }) });
  }

  /** Changes something. Some changes need no more to be said than where: then `body` is `undefined`. */
  post<T>(path: string, body: unknown, shape: Shape<T>): Promise<Reply<T>> {
    const headers = { 'content-type': 'application/json' };
    return this.#request(path, shape, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Starts a run; its events are the body of the answer. */
  run(input: unknown, signal: AbortSignal): Promise<Response> {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    return this.#fetch('/agent', { ...ours, method: 'POST', headers, body: JSON.stringify(input), signal });
  }

  async #request<T>(path: string, shape: Shape<T>, init: RequestInit): Promise<Reply<T>> {
    try {
      const response = await this.#fetch(path, { ...ours, ...init });
      const body: unknown = await response.json().catch(() => undefined);
      if (!response.ok) return this.#refused(path, response.status, body);
      const read = shape.safeParse(body);
      return read.success ? { ok: true, value: read.data } : { ok: false, status: 0, code: 'unreadable' };
    } catch {
      return { ok: false, status: 0, code: 'unreachable' };
    }
  }

  #refused(path: string, status: number, body: unknown): Failure {
    if (status === 401 && path !== '/login') this.onSignedOut();
    const read = errorShape.safeParse(body);
    if (!read.success) return { ok: false, status };
    const { error, approval } = read.data;
    return { ok: false, status, ...error, ...(approval === undefined ? {} : { approval }) };
  }
}

const ours = { credentials: 'same-origin', cache: 'no-store', redirect: 'error' } as const;
