/**
 * Closes a stream, through whatever it still has to yield on the way; never rejects. Settles when it is closed, which
 * a tool that hangs can put off for ever. For a stream that has ended it does nothing.
 */
export async function closeStream<T, R>(stream: AsyncGenerator<T, R, undefined>): Promise<void> {
  try {
    let left = await stream.return(undefined as R);
    while (!left.done) left = await stream.next();
  } catch {
    // It was on its way out: its error is of no use to anybody.
  }
}
