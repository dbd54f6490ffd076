/**
 * An async generator whose consumer can leave at any moment. A plain one queues `return()` behind a pending `next()`,
 * so a consumer that leaves while a person is being asked would wait for the answer, and the tool would still run.
 * Here leaving aborts first.
 */
export function cancellable<T>(
  source: AsyncGenerator<T, void, undefined>,
  controller: AbortController,
): AsyncGenerator<T, void, undefined> {
  const leave = (): void => controller.abort();
  return {
    next: () => source.next(),
    return: (value) => {
      leave();
      return source.return(value);
    },
    throw: (error: unknown) => {
      leave();
      return source.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      leave();
      await source.return(undefined);
    },
  };
}
