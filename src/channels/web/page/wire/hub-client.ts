import { PRINCIPAL_HEADER, principalName } from '../../../../core/principal-name.ts';
import { type Approval, errorShape, type Shape, type Who } from './shapes.ts';

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

/**
 * Speaks the hub's JSON API with the page's cookie. Rejects never.
 *
 * A client of somebody says with each request whom the page shows. The cookie is the browser's, which another tab may have
 * given to somebody else; then the hub refuses, so that nothing is done in that person's name.
 */
export class HubClient {
  readonly #fetch: typeof fetch;
  readonly #name: string | undefined;
  /** Called when the hub no longer knows the page's session, or the session has become somebody else's. */
  onSignedOut: () => void = () => undefined;

  /** @param who - Whom the page shows; `undefined` before it knows. */
  constructor(fetcher: typeof fetch = (...args) => globalThis.fetch(...args), who?: Who) {
    this.#name = who === undefined ? undefined : principalName(who);
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
  async run(input: unknown, signal: AbortSignal): Promise<Reply<NonNullable<Response['body']>>> {
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const response = await this.#send('/agent', { method: 'POST', headers, body: JSON.stringify(input), signal });
    if (response === undefined) return UNREACHABLE;
    if (response.ok && response.body !== null) return { ok: true, value: response.body };
    return this.#refused('/agent', response.status, await bodyOf(response));
  }

  /** Where the hub's events come from. A browser sends no header of the page's there. */
  get eventsPath(): string {
    return this.#name === undefined ? '/api/events' : `/api/events?principal=${encodeURIComponent(this.#name)}`;
  }

  async #request<T>(path: string, shape: Shape<T>, init: RequestInit): Promise<Reply<T>> {
    const response = await this.#send(path, init);
    if (response === undefined) return UNREACHABLE;
    const body = await bodyOf(response);
    if (!response.ok) return this.#refused(path, response.status, body);
    const read = shape.safeParse(body);
    return read.success ? { ok: true, value: read.data } : { ok: false, status: 0, code: 'unreadable' };
  }

  #send(path: string, init: RequestInit): Promise<Response | undefined> {
    const named = this.#name === undefined ? {} : { [PRINCIPAL_HEADER]: this.#name };
    return this.#fetch(path, { ...ours, ...init, headers: { ...init.headers, ...named } }).catch(() => undefined);
  }

  #refused(path: string, status: number, body: unknown): Failure {
    const read = errorShape.safeParse(body);
    const code = read.success ? read.data.error.code : undefined;
    if ((status === 401 && path !== '/login') || code === 'other_principal') this.onSignedOut();
    if (!read.success) return { ok: false, status };
    const { error, approval } = read.data;
    return { ok: false, status, ...error, ...(approval === undefined ? {} : { approval }) };
  }
}

const UNREACHABLE: Failure = { ok: false, status: 0, code: 'unreachable' };

const ours = { credentials: 'same-origin', cache: 'no-store', redirect: 'error' } as const;

/** The JSON of an answer; `undefined` when it is none. */
function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
