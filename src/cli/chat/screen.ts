import { styleText } from 'node:util';
import type { TerminalSession } from '../../channels/terminal/index.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;
const CLEAR_LINE = '\r\u001b[K';

/** How tau's own words are set off. */
export type ChatStyle = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/**
 * What the chat prints. Knows whether the cursor stands at the start of a line, and shows a spinner while the model
 * thinks: only on a terminal, and never while a question is open, for it would draw over it.
 */
export class Screen {
  readonly #session: TerminalSession;
  readonly #isTerminal: boolean;
  readonly #isColored: boolean;
  #spinner: NodeJS.Timeout | undefined;
  #isAtLineStart = true;

  constructor(session: TerminalSession, env: Readonly<Record<string, string | undefined>>) {
    this.#session = session;
    this.#isTerminal = session.output.isTTY === true && env.TERM !== 'dumb';
    this.#isColored = this.#isTerminal && (env.NO_COLOR ?? '') === '';
  }

  /** Whether a person watches. */
  get isTerminal(): boolean {
    return this.#isTerminal;
  }

  /** Prints text that is harmless already. */
  write(text: string): void {
    if (text === '') return;
    this.stopSpinner();
    this.#session.write(text);
    this.#isAtLineStart = text.endsWith('\n');
  }

  /** Prints whole lines, on a line of their own. */
  line(text: string): void {
    this.write(`${this.#isAtLineStart ? '' : '\n'}${text}\n`);
  }

  /** Leaves a line that was begun. */
  endLine(): void {
    this.stopSpinner();
    if (!this.#isAtLineStart) this.write('\n');
  }

  /** Tells that somebody else printed, and left the cursor at the start of a line. */
  movedToLineStart(): void {
    this.#isAtLineStart = true;
  }

  /** Sets off some words, where the screen can. */
  style(format: ChatStyle, text: string): string {
    return this.#isColored ? styleText(format, text, { validateStream: false }) : text;
  }

  /** Shows that something takes time; on a terminal, and only at the start of a line. */
  spin(label: string): void {
    this.stopSpinner();
    if (!this.#isTerminal || !this.#isAtLineStart) return;
    let frame = 0;
    const draw = (): void => {
      this.#session.write(`${CLEAR_LINE}${this.style('dim', `${FRAMES[frame % FRAMES.length]} ${label}…`)}`);
      frame += 1;
    };
    this.#spinner = setInterval(draw, FRAME_MS);
    this.#spinner.unref();
    draw();
  }

  /** Takes the spinner away. */
  stopSpinner(): void {
    if (this.#spinner === undefined) return;
    clearInterval(this.#spinner);
    this.#spinner = undefined;
    this.#session.write(CLEAR_LINE);
  }
}
