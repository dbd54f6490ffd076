/** Begins a key that stands for a text which a column cannot hold as it is. */
export const ENCODED = 'json:';

/**
 * A text as a key of a column. Half characters and NUL would become other texts on their way into a database, so that two
 * ids could meet in one row; they are written as JSON. Different texts always have different keys.
 */
export function keyOf(text: string): string {
  const plain = text.isWellFormed() && !text.includes('\0') && !text.startsWith(ENCODED);
  return plain ? text : `${ENCODED}${JSON.stringify(text)}`;
}
