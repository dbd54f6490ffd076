import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ApprovalStore } from 'strands-tau';

/** What a process that holds the store is asked for. */
export interface Ask {
  readonly number: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** What it says: that it is there, an answer, or the id of a record that changed. */
export type Say =
  | { readonly type: 'ready' }
  | { readonly type: 'answer'; readonly number: number; readonly value?: unknown; readonly error?: string }
  | { readonly type: 'heard'; readonly id: string };

/** A store in another process, on the same file. */
export interface RemoteStore extends ApprovalStore {
  /** Ends the process. */
  end(): Promise<void>;
}

/** Opens a file in another process. */
export async function openRemotely(path: string): Promise<RemoteStore> {
  const process = new StoreProcess(path);
  await process.ready;
  return new Proxy({} as RemoteStore, {
    get: (_target, method) => {
      if (method === 'end') return () => process.stop();
      if (method === 'watch') return (listener: (id: string) => void) => process.watch(listener);
      if (method === 'then' || typeof method === 'symbol') return undefined;
      return (...args: readonly unknown[]) => process.ask(method, args);
    },
  });
}

class StoreProcess {
  readonly ready: Promise<void>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #listeners = new Set<(id: string) => void>();

  constructor(path: string) {
    const ready = Promise.withResolvers<void>();
    this.ready = ready.promise;
    this.#child = fork(new URL('./store-process.ts', import.meta.url), [path]);
    this.#child.once('exit', (code) => ready.reject(new Error(`the other process ended with ${code}`)));
    this.#child.on('message', (said: Say) => {
      if (said.type === 'ready') ready.resolve();
      else if (said.type === 'answer') this.#answered(said);
      else for (const listener of this.#listeners) listener(said.id);
    });
  }

  ask(method: string, args: readonly unknown[]): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    const number = this.#waiting.size;
    this.#waiting.set(number, answer);
    this.#child.send({ number, method, args } satisfies Ask);
    return answer.promise;
  }

  watch(listener: (id: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async stop(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.disconnect();
    await exited;
  }

  #answered({ number, value, error }: Extract<Say, { type: 'answer' }>): void {
    const waiting = this.#waiting.get(number);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }
}
