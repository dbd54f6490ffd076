import type { BaseEvent } from '@ag-ui/core';
import { RunStopped } from '../ag-ui/run-stopped.ts';

/** A run that is under way. */
interface Run {
  /** The thread; of an ordered attempt, the id of its approval. */
  readonly key: string;
  readonly kind: 'run' | 'attempt';
  readonly controller: AbortController;
  /** Calls that were asked for and whose result was not told yet: a body may be about to run, or have just run. */
  readonly open: Set<string>;
  readonly ended: Promise<void>;
  /** Whether somebody stopped it. */
  isStopped: boolean;
}

/** A run on a thread, before it starts. */
export interface RunOfThread {
  readonly key: string;
  /**
   * Whether it begins with calls that waited. They are not announced again, so they count as under way until something
   * new is said.
   */
  readonly resumes: boolean;
  /** Resolves once the thread is free. */
  settled(): Promise<void>;
  /** What whoever reads a run that was stopped is told at its end. */
  lastWords(): Promise<readonly BaseEvent[]>;
}

type Events = AsyncGenerator<BaseEvent, void, undefined>;

/** The runs of a hub: which threads are busy, and how they end when the hub stops. */
export class ActiveRuns {
  readonly #runs = new Set<Run>();
  readonly #onChange: (key: string) => void;
  readonly #isAtWork: (key: string) => boolean;
  #isDraining = false;
  /** When what is still under way is given up. */
  readonly #late: Promise<void>;
  readonly #giveUp: () => void;

  /**
   * @param onChange - Told of each thread on which a run starts or ends.
   * @param isAtWork - Whether a body is at work on a thread, by what the gate knows.
   */
  constructor(onChange: (key: string) => void, isAtWork: (key: string) => boolean) {
    this.#onChange = onChange;
    this.#isAtWork = isAtWork;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#late = promise;
    this.#giveUp = resolve;
  }

  /** Whether no new run may start. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Whether a run is under way on a thread. */
  isBusy(key: string): boolean {
    return [...this.#runs].some((run) => run.kind === 'run' && run.key === key);
  }

  /** Ends the runs on a thread: no further call starts, and what is at work may finish. Whether there was one. */
  stop(key: string): boolean {
    const found = [...this.#runs].filter((run) => run.kind === 'run' && run.key === key);
    for (const run of found) {
      run.isStopped = true;
      run.controller.abort(new RunStopped());
    }
    return found.length > 0;
  }

  /**
   * The events of a run, followed until it ends. Leaving them leaves the run.
   *
   * A run whose client has left counts until its thread is free again.
   */
  async *follow({ key, resumes, settled, lastWords }: RunOfThread, start: (signal: AbortSignal) => Events): Events {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const run: Run = {
      key,
      kind: 'run',
      controller: new AbortController(),
      open: new Set(resumes ? [WAITED] : []),
      ended,
      isStopped: false,
    };
    this.#runs.add(run);
    this.#onChange(key);
    let isOver = false;
    try {
      for await (const event of start(run.controller.signal)) {
        noteCalls(run, event);
        isOver = isLast(event);
        if (this.#isDraining && !isOver) this.#endUnlessAtWork(run);
        yield event;
      }
      if (isOver || !run.isStopped) return;
      await Promise.race([settled(), this.#late]);
      isOver = true;
      yield* await lastWords();
    } finally {
      if (!isOver) await Promise.race([settled(), this.#late]);
      this.#runs.delete(run);
      resolve();
      this.#onChange(key);
    }
  }

  /** Work of a tool that goes on by itself, until it is done or the hub stops. Whoever asked for it does not wait. */
  keep(id: string, work: (signal: AbortSignal) => Promise<unknown>, onFailure: (error: unknown) => void): void {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const controller = new AbortController();
    const run: Run = { key: id, kind: 'attempt', controller, open: new Set([id]), ended, isStopped: false };
    this.#runs.add(run);
    work(controller.signal)
      .catch(onFailure)
      .finally(() => {
        this.#runs.delete(run);
        resolve();
      });
  }

  /**
   * Lets nothing start any more. Runs whose tools are at work may finish those; all others, and those that are not done in
   * time, are aborted.
   *
   * @param late - Fires when time is up.
   * @returns What had to be cut off.
   */
  async drain(late: Promise<unknown>): Promise<readonly Pick<Run, 'key'>[]> {
    this.#isDraining = true;
    for (const run of this.#runs) this.#endUnlessAtWork(run);
    const allEnded = Promise.all([...this.#runs].map(({ ended }) => ended)).then(() => 'ended' as const);
    if ((await Promise.race([allEnded, late.then(() => 'late' as const)])) === 'ended') return [];
    this.#giveUp();
    const cut = [...this.#runs];
    for (const { controller } of cut) controller.abort();
    return cut;
  }

  #endUnlessAtWork({ key, open, controller }: Run): void {
    if (open.size === 0 && !this.#isAtWork(key)) controller.abort();
  }
}

/** Stands for the calls that a resumed run begins with. */
const WAITED = 'calls that waited';

/** Events of a model that has the results of the calls before. */
const NEW_WORDS: ReadonlySet<string> = new Set(['TEXT_MESSAGE_START', 'REASONING_START', 'TOOL_CALL_START']);

function noteCalls({ open }: Run, event: BaseEvent): void {
  if (NEW_WORDS.has(event.type)) open.delete(WAITED);
  const id = 'toolCallId' in event && typeof event.toolCallId === 'string' ? event.toolCallId : undefined;
  if (id === undefined) return;
  if (event.type === 'TOOL_CALL_END') open.add(id);
  if (event.type === 'TOOL_CALL_RESULT') open.delete(id);
}

function isLast({ type }: BaseEvent): boolean {
  return type === 'RUN_FINISHED' || type === 'RUN_ERROR';
}
