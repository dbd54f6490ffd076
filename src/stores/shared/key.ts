/** Begins a key that stands for a text which a column cannot hold as it is. */
export const ENCODED = 'json:';

/** The text that a key stands for; `undefined` when `keyOf` made no such key. */
export function textOf(key: string): string | undefined {
  if (!key.startsWith(ENCODED)) return key;
  try {
    const text: unknown = JSON.parse(key.slice(ENCODED.length));
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A text as a key of a column. Half characters and NUL would become other texts on their way into a database, so that two
 * ids could meet in one row; they are written as JSON. Different texts always have different keys.
 */
export function keyOf(text: string): string {
  const plain = text.isWellFormed() && !text.includes('\0') && !text.startsWith(ENCODED);
  return plain ? text : `${ENCODED}${JSON.stringify(text)}`;
}
