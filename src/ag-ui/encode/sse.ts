import { Buffer } from 'node:buffer';
import type { BaseEvent } from '@ag-ui/core';
import type { EventEncoder } from './encoder.ts';

/** Ends of lines to readers that split text by Unicode's rules instead of the format's; JSON may spell them as escapes. */
const UNICODE_LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Server-sent events: one `data:` line of JSON per event. */
export const sseEncoder: EventEncoder = {
  contentType: 'text/event-stream',
  // A third of what `TextEncoder` takes for a text as short as most events.
  encode: (event) => Buffer.from(sseText(event)),
  keepAlive: Buffer.from(': keep-alive\n\n'),
};

/** @throws TypeError when JSON cannot carry the event. */
function sseText(event: BaseEvent): string {
  const json = JSON.stringify(event);
  // What serialises to nothing, or to no object, is no event: the client's reader would fail on it.
  if (typeof json !== 'string' || !json.startsWith('{')) throw new TypeError('the event is no object');
  return `data: ${json.replace(UNICODE_LINE_ENDS, escaped)}\n\n`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
