/** How long a credential that was looked at is believed, in milliseconds. */
const BELIEVED_MS = 1000;

/** A body that ends once whoever reads it may not any more; looked at before each piece, at most once a second. */
export function whileAllowed(
  body: ReadableStream<Uint8Array>,
  isAllowed: () => Promise<boolean>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let lookedAt = performance.now();
  const mayRead = async (): Promise<boolean> => {
    if (performance.now() - lookedAt < BELIEVED_MS) return true;
    lookedAt = performance.now();
    return isAllowed().catch(() => false);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await reader.read();
        if (piece.done) return controller.close();
        if (await mayRead()) return controller.enqueue(piece.value);
        await reader.cancel();
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
