import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Principal } from '../../core/call.ts';
import type { DecideResult } from '../../core/decide.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import { readJson } from '../read-json.ts';
import { answer, channelOf } from './decision.ts';
import { needs } from './guard.ts';

const cancelBody = z.strictObject({ because: z.string().max(10_000).optional() });
const retryBody = z.strictObject({
  digest: z.string().regex(/^[0-9a-f]{64}$/, 'must be the 64 hexadecimal digits of the question that was shown'),
});

/** What somebody ordered, as the gate takes it. */
interface Order {
  readonly by: Principal;
  readonly channel: string;
  readonly because?: string;
  readonly digest?: string;
}

/** `POST /api/approvals/{id}/cancel` withdraws a question, `…/retry` orders a new attempt of one of unknown outcome. */
export function orderRoutes(parts: HubParts): Hono<HubEnv> {
  return new Hono<HubEnv>()
    .post('/api/approvals/:id/cancel', needs('run'), async (context) => {
      const { because } = await readJson(context.req.raw, cancelBody);
      return give(context, parts, 'cancel', because === undefined ? {} : { because });
    })
    .post('/api/approvals/:id/retry', needs('decide'), async (context) =>
      give(context, parts, 'retry', await readJson(context.req.raw, retryBody)),
    );
}

async function give(
  context: Context<HubEnv>,
  parts: HubParts,
  name: 'cancel' | 'retry',
  more: Omit<Order, 'by' | 'channel'>,
): Promise<Response> {
  const identity = context.get('identity');
  const order: Order = { by: identity.principal, channel: channelOf(identity, context.req.raw.headers), ...more };
  const method = methodOf(parts.gate, name);
  if (method === undefined) throw new Problem(501, 'not_available', 'This gate cannot do that.');
  return answer(context, parts, await method.call(parts.gate, context.req.param('id') ?? '', order));
}

type Method = (id: string, order: Order) => Promise<DecideResult>;

function methodOf(gate: object, name: 'cancel' | 'retry'): Method | undefined {
  const method: unknown = Reflect.get(gate, name);
  return typeof method === 'function' ? (method as Method) : undefined;
}
