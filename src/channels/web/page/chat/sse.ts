/**
 * Reads a stream of server-sent events: give it the text as it arrives, in any pieces, and it gives back the data of
 * every event that is complete. Names, ids and comments are skipped; AG-UI uses none.
 */
export class SseParser {
  #buffer = '';
  #data: string[] = [];
  #atStart = true;

  /** The data of the events that one more piece completes. */
  push(piece: string): readonly string[] {
    const text = this.#buffer + this.#withoutMark(piece);
    const complete: string[] = [];
    // A carriage return at the end may be half of a line break.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#buffer = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') complete.push(...this.#dispatch());
      else this.#field(line);
    }
    return complete;
  }

  #field(line: string): void {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
  }

  #dispatch(): readonly string[] {
    if (this.#data.length === 0) return [];
    const data = this.#data.join('\n');
    this.#data = [];
    return [data];
  }

  #withoutMark(piece: string): string {
    if (!this.#atStart || piece === '') return piece;
    this.#atStart = false;
    return piece.replace(/^\uFEFF/, '');
  }
}
