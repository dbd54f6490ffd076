import { fold } from './fold.ts';
import type { Intent } from './intent.ts';
import { tokenize } from './token.ts';

/** Words around a request that carry no meaning, at its start and at its end (folded text). */
const LEADING =
  /^(?:please|pls|could you|can you|would you|will you|i want you to|i would like you to|let's|lets|now|also|then|and|first|ok|okay|so|hey tau|lutfen|simdi|ayrica|once|sonra|tamam|bana|benim icin|hadi)\b[\s,:]*/;
const TRAILING =
  /[\s,]*(?:\b(?:and (?:tell|show) me(?: the (?:result|output))?|please|for me|thanks|thank you|lutfen|benim icin|misin|misiniz)\b|[.!?])\s*$/;

/** Takes politeness off both ends of a clause. */
function trimPoliteness(clause: string): string {
  let text = clause.trim();
  for (;;) {
    const folded = fold(text);
    const start = LEADING.exec(folded)?.[0].length ?? 0;
    const end = TRAILING.exec(folded)?.index ?? text.length;
    if (start === 0 && end === text.length) return text;
    if (end <= start) return text.slice(start).trim();
    text = text.slice(start, end).trim();
  }
}

/** Forms of a note request (folded); `text` is what the note says, and may be empty. */
const NOTES: readonly RegExp[] = [
  /^(?:take|make|add|write|leave|create|save)\s+(?:(?:a|the|one|another|new|this|a new)\s+)?notes?\b(?:\s+(?:saying|that says|that|to|of|down))?\s*[:,-]?\s*(?<text>.*)$/d,
  /^(?:note|memo)\b(?:\s+(?:down|that|to self))*\s*[:,-]?\s*(?<text>.+)$/d,
  /^(?:write|jot)\s+down\b\s*[:,-]?\s*(?<text>.+)$/d,
  /^(?:write|jot|note)\s+(?<text>.+?)\s+down$/d,
  /^(?:add|put|write|save)\s+(?<text>.+?)\s+(?:in|into|to|on)\s+(?:(?:my|the|a)\s+)?notes?$/d,
  /^(?:remember|remind me)\b(?:\s+(?:that|to|of))?\s*[:,-]?\s*(?<text>.+)$/d,
  /^(?:(?:bunu|sunu|onu)\s+)?not\s+(?:al|et|ekle|yaz|dus|tut)(?!ma|me)\w*\s*[:,-]?\s*(?<text>.*)$/d,
  /^not(?:lar|larim)?[ia]?\s+(?<text>.+?)\s+(?:ekle|yaz)(?!ma|me)\w*$/d,
  /^not(?:lar|larim)a\s+(?:ekle|yaz)(?!ma|me)\w*\s*[:,-]?\s*(?<text>.+)$/d,
  /^not\s*[:-]\s*(?<text>.+)$/d,
  /^(?<text>.+?)\s+(?:diye\s+)?not\s+(?:al|et|ekle|yaz|dus|tut)(?!ma|me)\w*$/d,
];

/** Forms of a request to run a command (folded). */
const COMMANDS: readonly RegExp[] = [
  /^(?:run|execute)\b\s+(?:the\s+)?(?:shell\s+)?(?:command\b\s*:?\s*)?(?<text>.+)$/d,
  /^(?:(?:sunu|su komutu|komutu)\s+)?calistir(?!ma)\w*\s*:?\s+(?<text>.+)$/d,
  /^(?<text>.+?)\s+(?:komutunu\s+|komutu\s+)?calistir(?!ma)\w*$/d,
];

/** A note that refers to what came out before: "it", "the result", "bunu". */
const REFERENCE =
  /^(?:it|that|this|them|these|the (?:result|answer|output)|down|it down|bunu|sunu|onu|onlari|sonucu|cevabi)?$/;
const TEMPERATURE = /^(?:the |current |room )*(?:temperature|temp)(?: down)?$|^sicakli(?:k|gi)$|^dereceyi$/;

/** Recognizes the requests that carry a text of their own: notes and commands. */
export function freeTextIntent(clause: string): Intent | undefined {
  const text = trimPoliteness(clause);
  return commandIntent(text) ?? noteIntent(text);
}

function commandIntent(text: string): Intent | undefined {
  const tokens = tokenize(text);
  const [only] = tokens;
  if (only?.kind === 'quoted' && text.startsWith('`') && tokens.length === 1)
    return { kind: 'shell', command: only.raw };
  const captured = capture(COMMANDS, text);
  if (captured === undefined || captured === '') return undefined;
  const quoted = tokenize(captured).filter(({ kind }) => kind === 'quoted');
  const [first] = quoted;
  const isWholeCommandQuoted = first !== undefined && quoted.length === 1 && /^[`"“']/.test(captured);
  return { kind: 'shell', command: isWholeCommandQuoted ? first.raw : captured };
}

function noteIntent(text: string): Intent | undefined {
  const captured = capture(NOTES, text);
  if (captured === undefined) return undefined;
  const folded = fold(captured);
  if (REFERENCE.test(folded)) return { kind: 'note_result', of: undefined };
  if (TEMPERATURE.test(folded)) return { kind: 'note_result', of: 'read_thermostat' };
  return { kind: 'note', text: unquote(captured) };
}

/** The text that the first fitting form captures, as it was written. */
function capture(forms: readonly RegExp[], text: string): string | undefined {
  const folded = fold(text);
  for (const form of forms) {
    const span = form.exec(folded)?.indices?.groups?.text;
    if (span !== undefined) return text.slice(...span).trim();
  }
  return undefined;
}

function unquote(text: string): string {
  const tokens = tokenize(text);
  const [only] = tokens;
  return only?.kind === 'quoted' && tokens.length === 1 ? only.raw : text;
}
