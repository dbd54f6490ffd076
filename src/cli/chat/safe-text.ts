import { escapeText } from '../../core/escape.ts';

/**
 * What cannot be judged before the next piece: a letter that may get marks, half a line break, half a character. A
 * letter with more marks than it may carry is judged: all further ones are written out.
 */
const UNDECIDED = /(?:[\p{L}\p{N}]\p{M}{0,8}[\uD800-\uDBFF]?|[\r\uD800-\uDBFF])$/u;

/** What is printed already but decides whether the next spaces are padding. */
const BLANKS = /[ \t]{0,16}$/;

/**
 * Makes streamed text harmless for a terminal, piece by piece: line feeds stay, everything that could act on the
 * screen is written out, also where a model splits it over two pieces. However the text is split, the same is printed;
 * what is held back, and looked at again, is never more than a few characters.
 */
export class SafeText {
  #held = '';
  #blanks = '';

  /** What can be printed after one more piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const held = UNDECIDED.exec(text)?.[0] ?? '';
    this.#held = held;
    return this.#print(text.slice(0, text.length - held.length));
  }

  /** The rest, at the end of the text. */
  flush(): string {
    const rest = this.#print(this.#held);
    this.#held = '';
    this.#blanks = '';
    return rest;
  }

  #print(text: string): string {
    const before = this.#blanks;
    this.#blanks = BLANKS.exec(before + text)?.[0] ?? '';
    return safeLines(before + text).slice(safeLines(before).length);
  }
}

/** Several lines that are harmless for a terminal; a tab becomes spaces. */
export function safeLines(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => escapeText(line.replaceAll('\t', '    ')))
    .join('\n');
}
