import { Writable } from 'node:stream';
import type { TerminalOutput } from './streams.ts';

/** Passes on to the screen what `readline` draws, or drops it while nobody is asked for a line. */
export class Echo extends Writable {
  /** Whether what is drawn reaches the screen. */
  visible = false;
  readonly #output: TerminalOutput;

  constructor(output: TerminalOutput) {
    super({ decodeStrings: false });
    this.#output = output;
    output.on('resize', this.#onResize);
  }

  /** Where `readline` looks up how wide the screen is. */
  get columns(): number {
    return this.#output.columns || 80;
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.visible) this.#output.write(chunk);
    done();
  }

  detach(): void {
    this.visible = false;
    this.#output.off('resize', this.#onResize);
  }

  readonly #onResize = (): void => {
    this.emit('resize');
  };
}
