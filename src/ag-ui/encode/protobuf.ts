import type { EventEncoder } from './encoder.ts';

/** The media type of the protocol's binary form. */
export const PROTOBUF: string = 'application/vnd.ag-ui.event+proto';

let loading: Promise<EventEncoder> | undefined;

/**
 * The binary form, by `@ag-ui/encoder`, which is loaded the first time that a client asks for it.
 *
 * @throws when the package is not installed.
 */
export function protobufEncoder(): Promise<EventEncoder> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<EventEncoder> {
  const { EventEncoder: Encoder } = await import('@ag-ui/encoder');
  const encoder = new Encoder({ accept: PROTOBUF });
  // A message of this form cannot be empty, so nothing can be sent to keep a silent connection open.
  return { contentType: PROTOBUF, encode: (event) => encoder.encodeBinary(event), keepAlive: undefined };
}
