/** What may begin or follow at a place in JSON; sticky, so that it matches exactly there. */
const BLANK = /[ \t\n\r]*/y;
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;

/**
 * Where a text stops being JSON: the offset of the first thing that does not belong there. `undefined` when all of it is
 * JSON. Browsers tell it in their own words or not at all.
 */
export function jsonFault(text: string): number | undefined {
  const reader = new Reader(text);
  const fine = reader.value() && reader.atEnd();
  return fine ? undefined : reader.place;
}

class Reader {
  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get place(): number {
    return this.#place;
  }

  atEnd(): boolean {
    this.#skip(BLANK);
    return this.#place === this.#text.length;
  }

  value(): boolean {
    this.#skip(BLANK);
    const next = this.#text[this.#place];
    if (next === '{') return this.#many('}', () => this.#key() && this.#take(':') && this.value());
    if (next === '[') return this.#many(']', () => this.value());
    return this.#skip(STRING) || this.#skip(SCALAR);
  }

  #key(): boolean {
    this.#skip(BLANK);
    return this.#skip(STRING);
  }

  #many(close: string, item: () => boolean): boolean {
    this.#place += 1;
    if (this.#take(close)) return true;
    do {
      if (!item()) return false;
    } while (this.#take(','));
    return this.#take(close);
  }

  #take(mark: string): boolean {
    this.#skip(BLANK);
    if (this.#text[this.#place] !== mark) return false;
    this.#place += 1;
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#place;
    if (!pattern.test(this.#text)) return false;
    this.#place = pattern.lastIndex;
    return true;
  }
}
