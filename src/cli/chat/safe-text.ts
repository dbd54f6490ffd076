import { escapeText } from '../../core/escape.ts';

/** What cannot be judged before the next piece: a letter that may get marks, spaces that may become padding, half a character. */
const UNDECIDED = /(?:[\p{L}\p{N}]\p{M}*| {1,64}|[\uD800-\uDBFF])$/u;

/**
 * Makes streamed text harmless for a terminal, piece by piece: line feeds stay, everything that could act on the
 * screen is written out, also where a model splits it over two pieces.
 */
export class SafeText {
  #held = '';

  /** What can be printed after one more piece. */
  push(piece: string): string {
    const text = this.#held + piece;
    const held = UNDECIDED.exec(text)?.[0] ?? '';
    this.#held = held;
    return safeLines(text.slice(0, text.length - held.length));
  }

  /** The rest, at the end of the text. */
  flush(): string {
    const rest = safeLines(this.#held);
    this.#held = '';
    return rest;
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
