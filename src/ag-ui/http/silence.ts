/** Tells of a wait that lasts for some time, with one timer for all of them: nearly all are over at once. */
export class Silence {
  readonly #milliseconds: number;
  readonly #tell: () => void;
  /** When the wait began, if there is one. */
  #since: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param tell - Called when a wait has lasted for so long; the wait is over then. */
  constructor(milliseconds: number, tell: () => void) {
    this.#milliseconds = milliseconds;
    this.#tell = tell;
  }

  /** A wait begins. */
  begin(): void {
    this.#since = performance.now();
    this.#timer ??= setTimeout(this.#look, this.#milliseconds);
  }

  /** The wait is over. */
  end(): void {
    this.#since = undefined;
  }

  /** There will be no other. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#since = undefined;
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    if (this.#since === undefined) return;
    const left = this.#since + this.#milliseconds - performance.now();
    if (left > 0) this.#timer = setTimeout(this.#look, Math.ceil(left));
    else {
      this.#since = undefined;
      this.#tell();
    }
  };
}
