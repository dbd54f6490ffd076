import type { LoginLinks } from './login-links.ts';
import type { Sessions } from './sessions.ts';

/**
 * Ends all page sessions of a principal, and the links that would begin new ones; returns how many sessions there were.
 *
 * @param but - A session that is left.
 */
export async function endSessions(
  { sessions, loginLinks }: { readonly sessions: Sessions; readonly loginLinks: LoginLinks },
  principal: string,
  but?: string,
): Promise<number> {
  await loginLinks.revokeAll(principal);
  return sessions.endAll(principal, but);
}
