import type { RunAgentInput } from '@ag-ui/core';
import { parseRunAgentInput } from '../request/parse.ts';
import { invalidInput, type Refusal, tooLarge, UNSUPPORTED_ENCODING, UNSUPPORTED_MEDIA_TYPE } from './refusal.ts';

/** A request that becomes a run, or the answer that it gets instead. */
export type ReadInput = { readonly input: RunAgentInput } | { readonly refusal: Refusal };

const JSON_TYPE = /^(application\/json|[\w.+-]+\/[\w.+-]+\+json)$/i;

/** What the headers alone already rule out; `undefined` when the body may be read. */
export function refuseByHeaders(header: (name: string) => string | null, limit: number): Refusal | undefined {
  const [type = ''] = (header('content-type') ?? '').split(';');
  if (!JSON_TYPE.test(type.trim())) return UNSUPPORTED_MEDIA_TYPE;
  const encoding = header('content-encoding') ?? '';
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') return UNSUPPORTED_ENCODING;
  return Number(header('content-length') ?? 0) > limit ? tooLarge(limit) : undefined;
}

/** Collects a body up to a limit. */
export class BodyReader {
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes a piece; `false` when the body has become too large. */
  add(chunk: Uint8Array): boolean {
    this.#size += chunk.byteLength;
    if (this.#size > this.#limit) {
      this.#chunks.length = 0;
      return false;
    }
    this.#chunks.push(chunk);
    return true;
  }

  /** What was collected, as a request. */
  read(): ReadInput {
    if (this.#size > this.#limit) return { refusal: tooLarge(this.#limit) };
    return inputFromText(this.#chunks, this.#size);
  }
}

/** A request whose JSON somebody else has parsed. */
export function inputFromJson(body: unknown): ReadInput {
  const parsed = parseRunAgentInput(body);
  return parsed.ok ? { input: parsed.input } : { refusal: invalidInput(parsed.issues) };
}

function inputFromText(chunks: readonly Uint8Array[], size: number): ReadInput {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  try {
    return inputFromJson(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(whole)));
  } catch {
    // The parser's message quotes the request, so it stays here.
    return { refusal: invalidInput([{ path: '', message: 'The body is not JSON in UTF-8' }]) };
  }
}
