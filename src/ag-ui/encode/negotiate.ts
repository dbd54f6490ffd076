import type { Logger } from '../config.ts';
import type { EventEncoder } from './encoder.ts';
import { PROTOBUF, protobufEncoder } from './protobuf.ts';
import { sseEncoder } from './sse.ts';

/**
 * The encoder for a client: the binary form only when its `Accept` header names it, and does not prefer server-sent
 * events by name; server-sent events in every other case, "any" and no header included, and when `@ag-ui/encoder` is not
 * installed.
 */
export async function encoderFor(accept: string | null | undefined, log: Logger): Promise<EventEncoder> {
  if (!wantsProtobuf(accept ?? '')) return sseEncoder;
  try {
    return await protobufEncoder();
  } catch (error) {
    log.warn('A client asked for protobuf, but @ag-ui/encoder could not be loaded; it gets server-sent events', error);
    return sseEncoder;
  }
}

/** Whether an `Accept` header asks for the binary form. */
export function wantsProtobuf(accept: string): boolean {
  const weights = new Map(accept.split(',').map(mediaRange));
  const protobuf = weights.get(PROTOBUF) ?? 0;
  return protobuf > 0 && protobuf >= (weights.get(sseEncoder.contentType) ?? 0);
}

function mediaRange(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((text) => text.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = quality === undefined ? 1 : Number(quality);
  return [type, Number.isNaN(weight) ? 0 : weight];
}
