/** A refusal of the HTTP API. Its message is for whoever sent the request: it says nothing of the inside. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What stands beside `error` in the answer. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly extra?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.code = code;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }

  /** The answer. */
  toResponse(): Response {
    const { code, message, extra } = this;
    return Response.json({ error: { code, message }, ...extra }, { status: this.status, headers: { ...this.headers } });
  }
}

/** The same answer for what does not exist and for what the caller may not know of. */
export function notFound(): Problem {
  return new Problem(404, 'not_found', 'There is no such thing here.');
}
