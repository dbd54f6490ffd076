import type { CliMessageKey } from '../messages.ts';

/**
 * What one check found.
 *
 * | status | meaning |
 * |---|---|
 * | `ok` | nothing to do |
 * | `note` | works, but somebody may want to know |
 * | `broken` | must be fixed; the text says how |
 */
export interface Finding {
  readonly check: CliMessageKey & `doctor.${string}`;
  readonly status: 'ok' | 'note' | 'broken';
  readonly text: string;
}
