import { Hono } from 'hono';
import { capabilitiesFor } from '../../ag-ui/http/capabilities.ts';
import { errorText } from '../../core/errors.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';

/** `GET /ping`, `GET /ready` and `GET /capabilities`: open, and they tell nothing of anybody. */
export function signRoutes({ ready, runs, bridge, log }: HubParts): Hono<HubEnv> {
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
    .get('/capabilities', (context) => context.json(capabilitiesFor(bridge)));
}
