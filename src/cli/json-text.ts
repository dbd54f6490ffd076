import { escapeJson } from '../core/escape.ts';

/** A value as the text that `--json` prints: nothing in it can act on a terminal that it ends up on. */
export function jsonText(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2));
}

/** The same in one line. */
export function jsonLine(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}
