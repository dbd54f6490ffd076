import { fold } from './fold.ts';

/** One word, number, quoted text, JSON object or mark of a sentence. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'json' | 'mark';
  /** As it was written; of quoted text, without the quotes. */
  readonly raw: string;
  /** As it is compared; see `fold`. */
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = new RegExp(
  [
    /(?<quoted>`[^`]*`|"[^"]*"|“[^”]*”|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}]))/u,
    /(?<json>\{(?:[^{}]|\{[^{}]*\})*\})/u,
    /(?<number>(?<![\p{L}\p{N}])-?\d+(?:[.,]\d+)?)(?:°?\s?[cC](?![\p{L}])|°|['’]\p{L}+)?/u,
    /(?<word>[\p{L}\p{N}_]+(?:['’-][\p{L}\p{N}]+)*)/u,
    /(?<mark>[.,:](?=\s|$)|[;!?\n])/u,
  ]
    .map((part) => part.source)
    .join('|'),
  'gu',
);

/** The tokens of a text; what is none (a slash, a bracket) is skipped. */
export function tokenize(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const { quoted, json, number, word } = match.groups ?? {};
    const span = { start: match.index, end: match.index + match[0].length };
    if (quoted !== undefined) return { kind: 'quoted', raw: quoted.slice(1, -1), folded: '', ...span };
    if (json !== undefined) return { kind: 'json', raw: json, folded: '', ...span };
    if (number !== undefined) return { kind: 'number', raw: number.replace(',', '.'), folded: number, ...span };
    if (word !== undefined) return { kind: 'word', raw: word, folded: fold(word).replaceAll("'", ''), ...span };
    return { kind: 'mark', raw: match[0], folded: match[0], ...span };
  });
}
