import type { BaseEvent } from '@ag-ui/core';

/** Turns events into what goes over the connection. */
export interface EventEncoder {
  readonly contentType: string;
  /** @throws when the format cannot carry the event. */
  encode(event: BaseEvent): Uint8Array;
  /** Bytes that mean nothing, to keep a silent connection open; `undefined` when the format has none. */
  readonly keepAlive: Uint8Array | undefined;
}
