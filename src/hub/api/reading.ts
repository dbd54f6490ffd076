import { Hono } from 'hono';
import { z } from 'zod';
import { policySees } from '../../core/policy.ts';
import { readableRows } from '../audit-view.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { readQuery } from '../read-query.ts';

const auditQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

/** `GET /api/audit`, `/api/tools` and `/api/me`. */
export function readingRoutes(parts: HubParts): Hono<HubEnv> {
  const { gate, audit, language, demo } = parts;
  return new Hono<HubEnv>()
    .get('/api/audit', async (context) => {
      const { after, limit } = readQuery(context.req.url, auditQuery);
      const { rows, last } = await readableRows(parts, context.get('identity').principal, after, limit);
      return context.json({ rows, last, head: await audit.head() });
    })
    .get('/api/tools', (context) => {
      const { principal } = context.get('identity');
      const tools = gate.catalog.list().map((entry) => ({
        name: entry.name,
        description: entry.description ?? '',
        tier: entry.tier,
        // An effect that depends on the arguments is known with a call only.
        effect: typeof entry.effect === 'string' ? entry.effect : null,
        visible: policySees(gate.policy, principal, entry),
      }));
      return context.json({ tools });
    })
    .get('/api/me', (context) => {
      const { principal, scopes } = context.get('identity');
      return context.json({ principal, scopes: [...scopes], language, demo });
    });
}
