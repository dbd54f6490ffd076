import { Hono } from 'hono';
import { z } from 'zod';
import { endSessions } from '../auth/end-sessions.ts';
import { cookieHeader } from '../auth/sessions.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { readJson } from '../read-json.ts';

/** Nobody has proved anything yet, so what they may make the hub hold is small, in bytes. */
const LOGIN_LIMIT = 4096;

const body = z.strictObject({ code: z.string().min(1).max(200) });
const logoutBody = z.strictObject({ everywhere: z.boolean().optional() });

/** `POST /login` with the code of a one-time link, and `POST /logout`, of one page or of all pages of a person. */
export function loginRoutes({ attempts, loginLinks, principals, credentials, log }: HubParts): Hono<HubEnv> {
  const { sessions, cookieOf } = credentials;
  return new Hono<HubEnv>()
    .post('/login', async (context) => {
      const address = context.env.address;
      const { code } = await readJson(context.req.raw, body, LOGIN_LIMIT);
      // A code that holds always passes: it cannot be guessed, and others at the same address must not lock its owner out.
      const id = await loginLinks.principalOf(code);
      const account = id === undefined ? undefined : principals.get(id);
      if (account === undefined) throw refused(attempts, address, log);
      const { principal } = account;
      const { secret, session } = await sessions.create(principal.id);
      // Only now: a store that could not take the session must not have cost the link.
      if (!(await loginLinks.use(code))) {
        await sessions.end(session);
        throw refused(attempts, address, log);
      }
      return context.json({ principal }, 200, { 'Set-Cookie': cookieHeader(cookieOf(context.req.raw), secret) });
    })
    .post('/logout', async (context) => {
      const { everywhere = false } = await readJson(context.req.raw, logoutBody);
      const { session, principal } = context.get('identity');
      if (session === undefined) throw new Problem(403, 'no_session', 'Only a page that is logged in can log out.');
      // The own one last: whoever is told that it failed can try again.
      if (everywhere) await endSessions({ sessions, loginLinks }, principal.id, session);
      await sessions.end(session);
      return context.json({}, 200, { 'Set-Cookie': cookieHeader(cookieOf(context.req.raw), '') });
    });
}

/** What a code gets that is none; after many of them from one address it has to wait. */
function refused(attempts: HubParts['attempts'], address: string, log: HubParts['log']): Problem {
  const wait = attempts.waitSeconds(address);
  if (wait > 0) {
    return new Problem(429, 'too_many_attempts', 'Too many wrong codes; wait a little.', {
      headers: { 'Retry-After': String(wait) },
    });
  }
  attempts.failed(address);
  log.warn('A login code was refused', { address });
  return new Problem(401, 'invalid_code', 'This link was used before, has expired, or is none.');
}
