/** What stands for a value that is not repeated. */
const HIDDEN = '"…"';

/** The longest text of a value in a message. */
const LONGEST = 80;

/** What may hold a user name and a password: something before an `@`, behind the mark that begins an address. */
const USER_INFO = /[:/].*@/s;

/** A name of a provider, perhaps mistyped, and no key that was pasted in its place. */
const PLAIN_WORD = /^"[a-z-]{0,20}"$/i;

/** Keys whose values are addresses; a password may also stand behind the `?`. */
const ADDRESSES: ReadonlySet<string> = new Set(['base_url', 'public_url']);

/**
 * A wrong value, for a message that may end in a log: what may be a secret is not repeated.
 *
 * @param key - What the value was given to, `undefined` for a whole section.
 */
export function shownValue(key: string | undefined, value: unknown): string {
  if (value === undefined) return '(missing)';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value, bigintText);
  if (USER_INFO.test(text) || key === 'api_key_env' || (key === 'provider' && !PLAIN_WORD.test(text))) return HIDDEN;
  const told = key !== undefined && ADDRESSES.has(key) ? text.replace(/[?#].+"$/s, '?…"') : text;
  return told.length > LONGEST ? `${told.slice(0, LONGEST - 1).toWellFormed()}…` : told;
}

/** Whether an address names a user, with or without a password. */
export function holdsUserInfo(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
