import { Hono } from 'hono';
import { maySee } from '../approval-view.ts';
import { readableRows } from '../audit-view.ts';
import { identify } from '../auth/identify.ts';
import type { Identity } from '../auth/identity.ts';
import type { FeedSource } from '../events.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { requireNamed } from './guard.ts';
import { threadStatus } from './threads.ts';

/** Audit rows that one piece of a stream holds. */
const ROWS_AT_ONCE = 50;

const HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' };

/** `GET /api/events`: what changes from now on, as far as the caller may know of it. */
export function eventRoute(parts: HubParts): Hono<HubEnv> {
  return new Hono<HubEnv>().get('/api/events', async (context) => {
    const { raw } = context.req;
    const identity = context.get('identity');
    // A browser's EventSource sends no header of its own.
    requireNamed(identity, context.req.query('principal') ?? null);
    // Nobody reads the body of an answer to HEAD, so nobody would ever end its stream.
    if (context.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
    const reader = identity.principal.id;
    const source = feedSource(parts, identity, raw);
    const { seq } = await parts.audit.head();
    if (parts.feeds.isFull(reader)) {
      throw new Problem(429, 'too_many_streams', 'Close other event streams first.', {
        headers: { 'Retry-After': '5' },
      });
    }
    const stream = parts.feeds.open(reader, source, seq, raw.signal);
    return new Response(stream, { headers: HEADERS });
  });
}

function feedSource(parts: HubParts, identity: Identity, request: Request): FeedSource {
  const { gate, threads, credentials } = parts;
  const { principal } = identity;
  return {
    async approval(id) {
      const record = await gate.store.get(id);
      return record !== undefined && maySee(record, principal, gate.policy) ? record.status : undefined;
    },
    async thread(key) {
      const entry = await threads.get(key);
      if (entry?.principal !== principal.id) return undefined;
      return { threadId: entry.threadId, status: await threadStatus(parts, key) };
    },
    audit: (after) => readableRows(parts, principal, after, ROWS_AT_ONCE),
    async isStillAllowed() {
      const now = await identify(credentials, request).catch(() => undefined);
      return now?.principal.id === principal.id;
    },
  };
}
