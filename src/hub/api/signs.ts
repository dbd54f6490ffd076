import { Hono } from 'hono';
import { z } from 'zod';
import { capabilitiesFor } from '../../ag-ui/http/capabilities.ts';
import { errorText } from '../../core/errors.ts';
import { proofOf } from '../auth/proof.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { readQuery } from '../read-query.ts';

const proofQuery = z.strictObject({ nonce: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits') });

/** `GET /ping`, `/ready`, `/capabilities` and `/proof`: open, and they tell nothing of anybody. */
export function signRoutes({ ready, runs, bridge, log, proofKey }: HubParts): Hono<HubEnv> {
  return new Hono<HubEnv>()
    .get('/ping', (context) => context.json({ status: 'ok' }))
    .get('/ready', async (context) => {
      if (runs.isDraining) throw new Problem(503, 'stopping', 'The hub is stopping.');
      try {
        await ready();
      } catch (error) {
        log.error('The store does not answer', { error: errorText(error) });
        throw new Problem(503, 'not_ready', 'The store does not answer.', { headers: { 'Retry-After': '5' } });
      }
      return context.json({ status: 'ready' });
    })
    .get('/proof', (context) => {
      const { nonce } = readQuery(context.req.url, proofQuery);
      return context.json({ proof: proofOf(proofKey, nonce) }, 200, { 'Cache-Control': 'no-store' });
    })
    .get('/capabilities', (context) => context.json(capabilitiesFor(bridge)));
}
