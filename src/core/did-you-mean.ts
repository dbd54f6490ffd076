/**
 * The candidate that a mistyped word most likely stands for; `undefined` when none is near.
 *
 * @param limit - How many slips there may be; default one for each three characters.
 */
export function closest(
  word: string,
  candidates: Iterable<string>,
  limit: number = Math.ceil(word.length / 3),
): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** How many characters must be added, removed, replaced or swapped with the next one. */
function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  const rows: number[][] = [];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= from.length; row++) {
    const distances: number[] = [];
    rows.push(distances);
    for (let column = 0; column <= to.length; column++) {
      const isOther = from[row - 1] !== to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const swapped = isSwap ? at(row - 2, column - 2) : Number.POSITIVE_INFINITY;
      const oneMore = Math.min(at(row - 1, column), at(row, column - 1), swapped) + 1;
      distances.push(row + column === 0 ? 0 : Math.min(oneMore, at(row - 1, column - 1) + Number(isOther)));
    }
  }
  return at(from.length, to.length);
}
