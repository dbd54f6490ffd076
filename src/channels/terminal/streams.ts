import type { Readable, Writable } from 'node:stream';

/** Where lines come from: `process.stdin`, or any stream of UTF-8. */
export type TerminalInput = Readable & {
  /** Whether a person types here. */
  readonly isTTY?: boolean;
  /** Delivers keys instead of lines; a terminal has it. */
  setRawMode?(mode: boolean): unknown;
  /** Keeps the process alive while somebody is asked. */
  ref?(): unknown;
  /** Lets the process end while nobody is asked. */
  unref?(): unknown;
};

/** Where questions are shown: `process.stdout`, or any stream; without `columns` and `rows`, 80 by 24 is assumed. */
export type TerminalOutput = Writable & {
  /** Whether this is a screen, which may show colours. */
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** How large a screen is, in characters. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** The size of the screen now; a terminal that does not know its size says 0. */
export function screenSize(output: TerminalOutput): ScreenSize {
  return { columns: output.columns || 80, rows: output.rows || 24 };
}
