const FOLDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ İ: 'i', I: 'i', ı: 'i', ş: 's', ğ: 'g', ü: 'u', ö: 'o', ç: 'c', â: 'a', î: 'i', û: 'u', '’': "'" }),
);

/**
 * A text as the demo model compares it: lower case, without Turkish accents, so that `KAPIYI`, `kapıyı` and `kapiyi`
 * are one word. Has exactly as many code units as the text, so positions in one are positions in the other.
 */
export function fold(text: string): string {
  return [...text].map(foldCharacter).join('');
}

function foldCharacter(character: string): string {
  const special = FOLDED.get(character);
  if (special !== undefined) return special;
  const lower = character.toLowerCase();
  return FOLDED.get(lower) ?? (lower.length === character.length ? lower : character);
}
