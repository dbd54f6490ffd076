const INTERRUPTED = 130;

/** Waits for the signal that ends a server. */
export interface StopSignal {
  /** Resolves at the first SIGINT or SIGTERM; the second ends the process at once. */
  readonly asked: Promise<void>;
  close(): void;
}

/** Listens for SIGINT and SIGTERM until `close`. */
export function stopSignal(): StopSignal {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  const onSignal = (): void => {
    if (isAsked) process.exit(INTERRUPTED);
    isAsked = true;
    resolve();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    asked,
    close: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
