const INTERRUPTED = 130;

/** Waits for the signal that ends a server. */
export interface StopSignal {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP; the second SIGINT or SIGTERM ends the process at once. */
  readonly asked: Promise<void>;
  close(): void;
}

/** Listens until `close`. SIGHUP is what a terminal that is closed sends. */
export function stopSignal(): StopSignal {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  const onSignal = (): void => {
    if (isAsked) process.exit(INTERRUPTED);
    isAsked = true;
    resolve();
  };
  // Nobody sends it twice on purpose: a terminal and its shell both do, and a session manager a SIGTERM beside it.
  const onHangup = (): void => resolve();
  const listeners = new Map([
    ['SIGINT', onSignal],
    ['SIGTERM', onSignal],
    ['SIGHUP', onHangup],
  ]);
  for (const [signal, listener] of listeners) process.on(signal, listener);
  return {
    asked,
    close: () => {
      for (const [signal, listener] of listeners) process.off(signal, listener);
    },
  };
}
