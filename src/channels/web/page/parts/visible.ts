import { escapeText } from '../../../../core/escape.ts';

/** One line of somebody's text, for a label, a list or an announcement. */
export function visible(text: string): string {
  return escapeText(text);
}

/** Prose, with its line breaks: what is hidden becomes visible, a backslash stays one. Nothing is decided by it. */
export function visibleProse(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => escapeText(line.replaceAll('\t', '    ')).replaceAll('\\\\', '\\'))
    .join('\n');
}

/** The first line of a text, at most so many characters. */
export function shortened(text: string, longest: number): string {
  const line = escapeText(text.split('\n', 1)[0] ?? '');
  const characters = Array.from(line);
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line;
}
