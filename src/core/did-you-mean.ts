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
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (const [row, character] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1);
      const isSwap = row > 0 && column > 0 && character === b[column - 1] && other === a[row - 1];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : replaced;
      current.push(Math.min(replaced, swapped, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    [before, previous] = [previous, current];
  }
  return previous.at(-1) ?? 0;
}
