/** Lines that are laid out at a time; more come when somebody asks for them. */
const LINES = 200;

/** Characters that are laid out at a time. */
const CHARACTERS = 16_000;

/**
 * Divides the lines of the arguments into parts that a browser lays out quickly. A line that is longer than a part
 * goes on in the next one.
 */
export function partsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let part: string[] = [];
  let size = 0;
  for (const line of lines.flatMap(chopped)) {
    if (part.length === LINES || (size + line.length > CHARACTERS && part.length > 0)) {
      parts.push(part);
      part = [];
      size = 0;
    }
    part.push(line);
    size += line.length;
  }
  return [...parts, part];
}

/** Never within an escape or a pair of surrogates: `CHARACTERS` is cut back to the last safe place. */
function chopped(line: string): readonly string[] {
  if (line.length <= CHARACTERS) return [line];
  const chunks: string[] = [];
  let chunk = '';
  for (const [unit] of line.matchAll(/\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|.)|[^\p{M}]\p{M}*|\p{M}/gsu)) {
    if (chunk.length + unit.length > CHARACTERS) {
      chunks.push(chunk);
      chunk = '';
    }
    chunk += unit;
  }
  return [...chunks, chunk];
}
