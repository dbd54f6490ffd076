/** A part of a text that is shown as a whole: short enough to fit every screen. */
export interface Piece {
  readonly text: string;
  /** Whether it is an escape: something hidden that was made visible. */
  readonly escape: boolean;
}

/** An escape; a character with its marks; a lone mark. None of them is torn apart. */
const UNIT = /\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|.)|[^\p{M}]\p{M}*|\p{M}/gsu;

/** How many characters stand in a piece at most: a few lines on a phone, also in large print. */
const LONGEST = 80;

/**
 * Cuts a text that `escapeText` or `showJson` wrote into pieces, so that each can be watched for having been on the
 * screen, and escapes can be marked. Joined, the pieces are the text.
 */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let run = '';
  const flush = (): void => {
    if (run !== '') pieces.push({ text: run, escape: false });
    run = '';
  };
  for (const [unit] of text.matchAll(UNIT)) {
    if (isEscape(unit)) {
      flush();
      pieces.push({ text: unit, escape: true });
    } else {
      if (run.length + unit.length > LONGEST) flush();
      run += unit;
    }
  }
  flush();
  return pieces;
}

/** `\\` and `\"` are plain characters that JSON has to write so. */
function isEscape(unit: string): boolean {
  return /^\\[untr]/.test(unit);
}
