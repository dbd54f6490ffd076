/**
 * The reason to abort the signal of a run with when somebody stops it. A client that has only left may come back, and what
 * it decided stands; of a run that was stopped, the yeses that its own request was giving meanwhile are taken back.
 *
 * @example
 * ```ts
 * const stop = new AbortController();
 * const events = bridge.run(input, { principal, signal: stop.signal });
 * stop.abort(new RunStopped());
 * ```
 */
export class RunStopped extends Error {
  override readonly name: string = 'RunStopped';

  constructor() {
    super('the run was stopped');
  }
}
