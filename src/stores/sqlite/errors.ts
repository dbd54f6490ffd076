import { errorText, TauError } from '../../core/errors.ts';

/** SQLite's primary result codes, by what they mean to whoever runs tau. */
const MEANINGS: Readonly<Record<number, 'locked' | 'readonly' | 'full' | 'corrupt'>> = {
  3: 'readonly', // PERM
  5: 'locked', // BUSY
  6: 'locked', // LOCKED
  8: 'readonly', // READONLY
  11: 'corrupt', // CORRUPT
  13: 'full', // FULL
  14: 'readonly', // CANTOPEN
  26: 'corrupt', // NOTADB
};

/**
 * What went wrong with a store, as a `TauError` whose message says what to do.
 *
 * | code | meaning |
 * |---|---|
 * | `store_locked` | another process held the file for longer than the store waits |
 * | `store_corrupt` | the file is damaged, or no store of tau |
 * | `store_full` | there is no room on the disk |
 * | `store_readonly` | the file or its folder cannot be opened or written |
 * | `store_replaced` | the file was removed, or another took its place, while it was open; only a new start helps |
 * | `store_closed` | the store was ended already |
 * | `store_failed` | anything else; nothing was changed |
 */
export function storeError(error: unknown, path: string): TauError {
  if (error instanceof TauError) return error;
  const fail = (code: string, text: string): TauError => new TauError(code, text, { cause: error });
  if (codeOf(error) === 'ERR_INVALID_STATE') return fail('store_closed', `the store ${path} was ended; open it again`);
  const detail = errorText(error);
  switch (MEANINGS[resultCode(error) & 0xff]) {
    case 'locked':
      return fail(
        'store_locked',
        `another process holds the store ${path}; nothing was changed. Try again once it is done`,
      );
    case 'corrupt':
      return corrupt(path, detail, error);
    case 'full':
      return fail('store_full', `no room is left for the store ${path}; nothing was changed. Free some disk space`);
    case 'readonly':
      return fail(
        'store_readonly',
        `the store ${path} cannot be opened or written (${detail}). Give this user write access to the file and its folder`,
      );
    default:
      return fail('store_failed', `the store ${path} failed, nothing was changed: ${detail}`);
  }
}

/** The error of a file that is damaged, or holds what tau did not write. */
export function corrupt(path: string, detail: string, cause?: unknown): TauError {
  return new TauError(
    'store_corrupt',
    `the store ${path} is damaged or was not made by tau (${detail}). Put a backup in its place, or move it away to begin a new one`,
    { cause },
  );
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** SQLite's extended result code; 0 for an error that is not SQLite's. */
function resultCode(error: unknown): number {
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : 0;
}
