import { fork } from 'node:child_process';
import { once } from 'node:events';

/** One request, and the event that is waited for. */
export interface Order {
  readonly url: string;
  readonly body: string;
  readonly type: string;
}

/** A client in a process of its own. */
export interface Client {
  /** Milliseconds until the event has come; the stream is read to its end. */
  until(order: Order): Promise<number>;
  close(): void;
}

/**
 * Starts a client. In the process of the server it could not see an event before the server lets go of its thread,
 * which it does when it has to wait for something: everything that is sent until then would seem to come at once.
 */
export function startClient(): Client {
  const child = fork(new URL('./client-process.ts', import.meta.url));
  return {
    until: async (order) => {
      child.send(order);
      const [cost]: unknown[] = await once(child, 'message');
      if (typeof cost === 'number' && !Number.isNaN(cost)) return cost;
      throw new Error(`No ${order.type} came; the numbers mean nothing`);
    },
    close: () => void child.disconnect(),
  };
}
