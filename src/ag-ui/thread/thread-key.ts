import { ANONYMOUS, type Principal } from '../../core/call.ts';

/** Key of a thread in every cache, session and approval: two principals never share one. */
export type ThreadKey = string & { readonly __brand: 'ThreadKey' };

/**
 * The key of a principal's thread. Without authentication there is one principal and the key is the thread id alone,
 * so that an application's own map of agents works; an empty id is `default`.
 */
export function threadKey(threadId: string, principal: Principal): ThreadKey {
  const id = threadId === '' ? 'default' : threadId;
  const key = principal.id === ANONYMOUS.id ? id : `${JSON.stringify(principal.id)}/${id}`;
  return key as ThreadKey;
}
