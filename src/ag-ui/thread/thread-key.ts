import { ANONYMOUS, type Principal } from '../../core/call.ts';

/** Key of a thread in every cache, session and approval: two principals never share one. */
export type ThreadKey = string & { readonly __brand: 'ThreadKey' };

/**
 * The key of a principal's thread. Without authentication there is one principal and the key is the thread id alone,
 * so that an application's own map of agents works; an empty id is `default`. Only keys that name their principal begin
 * with a quote, so an anonymous caller cannot write out somebody else's key as a thread id.
 */
export function threadKey(threadId: string, principal: Principal): ThreadKey {
  const id = threadId === '' ? 'default' : threadId;
  const bare = principal.id === ANONYMOUS.id && !id.startsWith('"');
  return (bare ? id : `${JSON.stringify(principal.id)}/${id}`) as ThreadKey;
}

/** What the keys of all threads of a principal begin with; of one that they do not name, nothing. */
export function threadPrefix(principal: Principal): string {
  return principal.id === ANONYMOUS.id ? '' : `${JSON.stringify(principal.id)}/`;
}

/** The two parts of a thread's key. The principal of a key that names none is `anonymous`. */
export function readThreadKey(key: string): { readonly principal: string; readonly threadId: string } {
  const match = /^(?<quoted>"(?:[^"\\]|\\.)*")\/(?<threadId>.*)$/s.exec(key)?.groups;
  const principal = match?.quoted === undefined ? undefined : unquoted(match.quoted);
  if (principal === undefined) return { principal: ANONYMOUS.id, threadId: key };
  return { principal, threadId: match?.threadId ?? '' };
}

/** What only looks like a key, because somebody else named the conversation, may hold anything between its quotes. */
function unquoted(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}
