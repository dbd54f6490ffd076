import type { TauError } from '../../core/errors.ts';

/** What an input tells the session that reads it. */
export interface LineEvents {
  /** A whole line, without its line break. */
  line(text: string): void;
  /**
   * End of input.
   *
   * @param final - `false` for Ctrl-D at a terminal: the person may go on typing.
   * @param rest - What came after the last line break.
   * @param failure - Why nothing more is read, when the input has not ended.
   */
  end(final: boolean, rest: string, failure?: TauError): void;
  /** Ctrl-C. */
  interrupt(): void;
  /** The program goes on after Ctrl-Z. */
  wake(): void;
}

/** One way to get lines: keys typed at a terminal, or a pipe. */
export interface LineSource {
  /**
   * Whether a person types at a terminal. Then lines may arrive at any time, and what was typed before a question
   * was shown must not answer it. Otherwise lines arrive only between `prompt` and `take` or `rest`, and the ones of
   * the same chunk right after the first.
   */
  readonly interactive: boolean;
  /**
   * Shows a prompt and reads.
   *
   * @param draft - Half a line that was typed before and can still be edited.
   * @param remember - Whether the line goes into the history that the arrow keys offer.
   */
  prompt(text: string, draft: string, remember: boolean): void;
  /** Hides what is typed and hands over the half line so far, which is no longer in the input. */
  take(): string;
  /** Hides what is typed from now on; it continues `draft`. The process may end while nothing else is going on. */
  rest(draft: string): void;
  /** Waits until what was typed before has arrived. */
  settle(): Promise<void>;
  /** Gives the input back as it was. */
  close(): void;
}
