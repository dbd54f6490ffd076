import type { Intent } from './intent.ts';
import { type Token, tokenize } from './token.ts';

/** Words and marks that may join two requests. They part a text only where both sides turn out to be requests. */
const JOINTS: ReadonlySet<string> = new Set([
  'and',
  'then',
  'afterwards',
  'plus',
  've',
  'sonra',
  'ardindan',
  'sonrasinda',
  '.',
  ',',
  ';',
  '!',
  '?',
  '\n',
]);

/** One request out of a sentence that may hold several. */
export interface Clause {
  readonly text: string;
  readonly intent: Intent | undefined;
}

/**
 * Parts a text into its requests. "Note: bread and tea" is one, because "tea" is no request; "note it and lock the
 * door" is two. Quoted text is never parted.
 */
export function splitClauses(text: string, recognize: (text: string) => Intent | undefined): readonly Clause[] {
  const clauses: Span[] = [];
  for (const piece of piecesOf(text)) {
    const intent = recognize(text.slice(piece.start, piece.end));
    const previous = clauses.at(-1);
    if (previous !== undefined && belongsTogether(previous, intent, text, recognize))
      clauses[clauses.length - 1] = extend(previous, piece, text, recognize);
    else clauses.push({ ...piece, intent });
  }
  return clauses.map(({ start, end, intent }) => ({ text: text.slice(start, end).trim(), intent }));
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly intent: Intent | undefined;
}

/** Whether a piece is no request of its own but part of the one before it, or that one the beginning of this. */
function belongsTogether(
  previous: Span,
  intent: Intent | undefined,
  text: string,
  recognize: (text: string) => Intent | undefined,
): boolean {
  if (previous.intent === undefined) return false;
  if (previous.intent.kind === 'side') return intent?.kind === 'door' || intent?.kind === 'side';
  if (intent === undefined) return true;
  if (intent.kind === 'number') return true;
  return (
    intent.kind === 'side' &&
    (previous.intent.kind === 'door' || isFreeText(recognize(text.slice(previous.start, previous.end))))
  );
}

function isFreeText(intent: Intent | undefined): boolean {
  return intent?.kind === 'note' || intent?.kind === 'shell';
}

function extend(
  previous: Span,
  piece: { readonly end: number },
  text: string,
  recognize: (text: string) => Intent | undefined,
): Span {
  const intent = recognize(text.slice(previous.start, piece.end)) ?? previous.intent;
  return { start: previous.start, end: piece.end, intent };
}

/** The stretches between joints that hold at least one token. */
function piecesOf(text: string): readonly { readonly start: number; readonly end: number }[] {
  const tokens = tokenize(text);
  const joints = tokens.filter(isJoint);
  const starts = [0, ...joints.map(({ end }) => end)];
  const ends = [...joints.map(({ start }) => start), text.length];
  return starts
    .map((start, index) => ({ start, end: ends[index] ?? text.length }))
    .filter(({ start, end }) => tokens.some((token) => !isJoint(token) && token.start >= start && token.end <= end));
}

function isJoint({ kind, folded }: Token): boolean {
  return (kind === 'word' || kind === 'mark') && JOINTS.has(folded);
}
