import type { ScreenSize } from './streams.ts';

/**
 * How asking for one line ended.
 *
 * | type | meaning |
 * |---|---|
 * | `line` | the person pressed Enter, or the pipe gave a line |
 * | `end` | end of input, Ctrl-D, or the screen is gone |
 * | `interrupt` | Ctrl-C |
 * | `abort` | the signal fired |
 * | `stale` | the screen does not show the question any more, or not all of it: show it again |
 */
export type Reply =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'end' }
  | { readonly type: 'interrupt' }
  | { readonly type: 'abort' }
  | { readonly type: 'stale' };

/** What one line is asked for with. */
export interface LineRequest {
  /** Printed before the prompt. What was typed before it was on the screen does not answer. */
  readonly text: string;
  readonly prompt: string;
  readonly signal: AbortSignal;
  /** Looked at after the screen changed its size: whether the text must be shown again. */
  readonly stale: () => boolean;
  /** Called when the text is on the screen, each time that it is shown. */
  readonly onShown?: (() => void) | undefined;
}

/** How tau's own words are set off. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow';

/** The terminal while one question owns it. */
export interface QuestionScreen {
  /** Whether anything of the question was shown. */
  readonly shown: boolean;
  /** Whether there is somebody to turn pages; a pipe gets everything at once. */
  readonly paged: boolean;
  /** How large the screen is now. */
  readonly size: ScreenSize;
  /** Shows a text and asks for a line. Never rejects: a broken screen answers `end`. */
  ask(request: LineRequest): Promise<Reply>;
  /** Adds colour or weight where the screen can show it and the person has not switched it off. */
  style(this: void, format: Style, text: string): string;
  /** Prints a closing line. */
  print(text: string): void;
}
