/** An answer to a request that does not become a run. */
export interface Refusal {
  readonly status: number;
  readonly body: { readonly error: string; readonly issues?: readonly { path: string; message: string }[] };
  readonly headers?: Readonly<Record<string, string>>;
}

export const UNSUPPORTED_MEDIA_TYPE: Refusal = {
  status: 415,
  body: { error: 'Unsupported Media Type: expected application/json' },
};

export const UNSUPPORTED_ENCODING: Refusal = {
  status: 415,
  body: { error: 'Unsupported Media Type: the request is compressed' },
};

export const METHOD_NOT_ALLOWED: Refusal = {
  status: 405,
  body: { error: 'Method Not Allowed: expected POST' },
  headers: { Allow: 'POST' },
};

export const UNAUTHORIZED: Refusal = {
  status: 401,
  body: { error: 'Unauthorized' },
  headers: { 'WWW-Authenticate': 'Bearer' },
};

/** The request is larger than the limit. */
export function tooLarge(limit: number): Refusal {
  return { status: 413, body: { error: `Payload Too Large: the limit is ${limit} bytes` } };
}

/** The request is no `RunAgentInput`. */
export function invalidInput(issues: readonly { path: string; message: string }[]): Refusal {
  return { status: 400, body: { error: 'Invalid RunAgentInput', issues } };
}

const PHRASES: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [402, 'Payment Required'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [413, 'Payload Too Large'],
  [415, 'Unsupported Media Type'],
  [422, 'Unprocessable Entity'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [502, 'Bad Gateway'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
]);

/**
 * The answer for an error of an authentication hook: its own `status` or `statusCode` when that is an error status, 500
 * otherwise. The text is the status's own; nothing of the error goes to the client.
 */
export function refusalOf(error: unknown): Refusal {
  const status = statusOf(error, 'status') ?? statusOf(error, 'statusCode') ?? 500;
  return { status, body: { error: PHRASES.get(status) ?? (status < 500 ? 'Request Refused' : 'Server Error') } };
}

function statusOf(error: unknown, field: 'status' | 'statusCode'): number | undefined {
  try {
    const status: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined;
    return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599
      ? status
      : undefined;
  } catch {
    return undefined;
  }
}
