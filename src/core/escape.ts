/** Placeholder until the terminal channel lands. */
export function escapeText(text: string): string {
  return text;
}
