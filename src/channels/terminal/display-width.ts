/**
 * How many columns a text takes at most. Terminals disagree about some characters; a line that is broken too early
 * only looks shorter, one that is broken too late pushes others off the screen.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of text) width += (char.codePointAt(0) ?? 0) < 0x1100 ? 1 : wideOrLine(char);
  return width;
}

/** General punctuation and the frame are one column everywhere but in old East Asian terminals. */
function wideOrLine(char: string): number {
  return /[\u1e00-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u259f]/.test(char) ? 1 : 2;
}
