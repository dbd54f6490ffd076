import { TauError } from '../core/errors.ts';
import { Problem } from './problem.ts';

/** What to tell of a store that fails: what to do, and after how many seconds to ask again where waiting can help. */
interface Trouble {
  readonly message: string;
  readonly retryAfter?: number;
}

/** By the code of the error. The errors themselves name files, which is nothing for whoever sent the request. */
const TROUBLES: ReadonlyMap<string, Trouble> = new Map([
  [
    'store_locked',
    { message: "Another process holds the hub's store; nothing was changed. Try again soon.", retryAfter: 2 },
  ],
  [
    'store_full',
    {
      message: "No room is left for the hub's store; nothing was changed. Free some disk space, then try again.",
      retryAfter: 30,
    },
  ],
  [
    'store_readonly',
    { message: "The hub's store cannot be written. Give the hub's user write access to its data folder." },
  ],
  [
    'store_corrupt',
    {
      message: "The hub's store is damaged. Stop the hub and put a backup in its place; its log says what is damaged.",
    },
  ],
  [
    'store_replaced',
    {
      message:
        "The hub's store was removed or replaced while the hub ran; it writes nothing any more. Start the hub again.",
    },
  ],
  ['store_closed', { message: "The hub's store is closed; the hub is stopping. Start it again.", retryAfter: 10 }],
  ['store_failed', { message: "The hub's store failed; nothing was changed. The hub's log says why.", retryAfter: 10 }],
]);

/** The answer to a request that the store failed; `undefined` for any other error. */
export function storeProblem(error: unknown): Problem | undefined {
  const trouble = error instanceof TauError ? TROUBLES.get(error.code) : undefined;
  if (!(error instanceof TauError) || trouble === undefined) return undefined;
  const { message, retryAfter } = trouble;
  return new Problem(
    503,
    error.code,
    message,
    retryAfter === undefined ? {} : { headers: { 'Retry-After': String(retryAfter) } },
  );
}
