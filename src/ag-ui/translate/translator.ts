import { EventStream } from './event-stream.ts';
import type { TranslateOptions } from './options.ts';
import type { StrandsStream } from './sdk-events.ts';
import { Translation } from './translation.ts';

/**
 * Translates one run of an agent into the protocol's events, without those that start and end the run. Events go out
 * as they come; nothing is held back. It does not throw: how the stream ended is returned, and by then whatever was
 * open is closed.
 *
 * The caller removes `HALT_TEXT` and sends `RUN_FINISHED` or `RUN_ERROR`.
 */
export function translate(stream: StrandsStream, options: TranslateOptions): EventStream {
  return new EventStream(stream, new Translation(options), options);
}
