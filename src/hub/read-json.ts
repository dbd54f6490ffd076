import { TextDecoder } from 'node:util';
import type { z } from 'zod';
import { Problem } from './problem.ts';

/** The largest body of a request of the API, in bytes; the arguments of a call fit. */
const API_BODY_LIMIT = 1024 * 1024;

/**
 * The JSON body of a request, checked.
 *
 * @param limit - The largest body, in bytes.
 * @throws Problem 415, 413, 400 or 422 that says what is wrong, naming fields and never repeating values.
 */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, limit: number = API_BODY_LIMIT): Promise<T> {
  requireJsonType(request.headers);
  const text = await readText(request, limit);
  const parsed = schema.safeParse(parse(text));
  if (parsed.success) return parsed.data;
  throw new Problem(400, 'invalid_body', describe(parsed.error.issues));
}

/** @throws Problem 415 unless the body is declared as plain JSON; a form of another page cannot declare that. */
export function requireJsonType(headers: Headers): void {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new Problem(415, 'unsupported_media_type', 'The body must be JSON, with Content-Type: application/json.');
  }
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    throw new Problem(415, 'unsupported_media_type', 'The body must not be compressed.');
  }
}

async function readText(request: Request, limit: number): Promise<string> {
  const tooLarge = new Problem(413, 'too_large', `The body is larger than ${limit} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge;
    text += decode(decoder, chunk);
  }
  return text + decode(decoder);
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  try {
    for (let piece = await next(reader); !piece.done; piece = await next(reader)) yield piece.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Whoever sends may leave, or be too slow for the server: no fault of the hub. */
function next(reader: Reader): ReturnType<Reader['read']> {
  return reader.read().catch(() => {
    throw new Problem(408, 'incomplete_body', 'The body did not arrive in time.');
  });
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch {
    throw new Problem(400, 'invalid_json', 'The body is not UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so it stays here.
    throw new Problem(400, 'invalid_json', 'The body is not JSON.');
  }
}

function describe(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.slice(0, 5).map((issue) => {
    const where = issue.path.length === 0 ? 'the body' : issue.path.map(String).join('.').slice(0, 100);
    return issue.code === 'unrecognized_keys'
      ? `${where}: unknown keys ${issue.keys
          .slice(0, 5)
          .map((key) => JSON.stringify(key.slice(0, 40)))
          .join(', ')}`
      : `${where}: ${issue.message}`;
  });
  return `The body does not fit: ${lines.join('; ')}.`;
}
