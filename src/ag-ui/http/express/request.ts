import type { Request } from 'express';
import { BodyReader, inputFromJson, type ReadInput, refuseByHeaders } from '../body.ts';
import type { AuthRequest } from '../principal.ts';

/** Reads a run from a request whose body another middleware may have parsed; `undefined` when the client left meanwhile. */
export async function readInput(request: Request, limit: number): Promise<ReadInput | undefined> {
  const parsed = isParsed(request);
  const refusal = refuseByHeaders((name) => {
    // What has been parsed already was unpacked and measured by whoever did it.
    return parsed && name !== 'content-type' ? null : (request.header(name) ?? null);
  }, limit);
  if (refusal !== undefined) return { refusal };
  return parsed ? inputFromJson(request.body) : readBody(request, limit);
}

/** What an authentication hook is shown. */
export function authRequestOf(request: Request): AuthRequest {
  const headers = new Headers();
  for (const [name, value] of Object.entries(flatHeaders(request))) headers.set(name, value);
  const host = request.headers.host ?? 'localhost';
  return { method: request.method, url: `${request.protocol}://${host}${request.originalUrl}`, headers };
}

/** The request's headers as texts, names in lower case. */
export function flatHeaders({ headers }: Request): Record<string, string> {
  const flat: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Parsers leave an empty object where they did not parse, so that counts only when the body is gone. */
function isParsed({ body, readableDidRead }: Request): boolean {
  if (body === undefined || body === null) return false;
  return readableDidRead || typeof body !== 'object' || Object.keys(body).length > 0;
}

/** A body that is too large is refused at once; the rest of it is thrown away as it comes, so that the answer is read. */
function readBody(request: Request, limit: number): Promise<ReadInput | undefined> {
  return new Promise((resolve) => {
    const body = new BodyReader(limit);
    const onData = (chunk: unknown): void => {
      if (body.add(typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer))) return;
      request.off('data', onData);
      request.resume();
      resolve(body.read());
    };
    request.on('data', onData);
    request.on('end', () => resolve(body.read()));
    request.on('error', () => resolve(undefined));
    request.on('close', () => resolve(undefined));
  });
}
