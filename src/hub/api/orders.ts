import { Hono } from 'hono';
import { z } from 'zod';
import { isRequester } from '../../core/cancel.ts';
import { errorText } from '../../core/errors.ts';
import { attemptAgain, canAttempt } from '../../strands/attempt-again.ts';
import { mayOrder, viewApproval } from '../approval-view.ts';
import type { Identity } from '../auth/identity.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import { alreadyDecided, channelOf, digestMismatch, digestShape } from './decision.ts';
import { needs, readAllowed } from './guard.ts';

const cancelBody = z.strictObject({ because: z.string().max(10_000).optional() });
const retryBody = z.strictObject({
  digest: digestShape,
  shownDigest: digestShape.optional(),
  reason: z.string().max(10_000).optional(),
});

/** `POST /api/approvals/{id}/cancel`: the requester withdraws a question, or a yes that was not used yet. */
export function cancelRoute(parts: HubParts): Hono<HubEnv> {
  return new Hono<HubEnv>().post('/api/approvals/:id/cancel', needs('run'), async (context) => {
    const { because } = await readAllowed(parts, context, cancelBody);
    const identity = context.get('identity');
    const id = context.req.param('id');
    // Withdrawing what somebody else asked for is deciding it.
    if (!identity.scopes.has('decide') && !(await isOwn(parts, id, identity))) throw notFound();
    const result = await parts.gate.cancel(id, {
      by: identity.principal,
      channel: channelOf(identity, context.req.raw.headers),
      ...(because === undefined ? {} : { because }),
    });
    if (result.status === 'not_found') throw notFound();
    const approval = await viewApproval(result.record, identity, parts);
    if (result.status === 'already_decided') throw alreadyDecided(approval);
    return context.json({ approval, result: result.status });
  });
}

async function isOwn({ gate }: HubParts, id: string, { principal }: Identity): Promise<boolean> {
  const record = await gate.store.get(id);
  return record !== undefined && isRequester(principal, record);
}

/** `POST /api/approvals/{id}/retry`: a person orders a new attempt of one whose outcome is unknown; it runs at once. */
export function retryRoute(parts: HubParts): Hono<HubEnv> {
  const { gate } = parts;
  return new Hono<HubEnv>().post('/api/approvals/:id/retry', needs('decide'), async (context) => {
    const { digest, shownDigest, reason } = await readAllowed(parts, context, retryBody);
    if (parts.runs.isDraining) throw new Problem(503, 'stopping', 'The hub is stopping; try again soon.');
    const identity = context.get('identity');
    const id = context.req.param('id');
    await requireRunnable(parts, id, identity);
    const result = await gate.retry(id, {
      by: identity.principal,
      channel: channelOf(identity, context.req.raw.headers),
      digest,
      ...(shownDigest === undefined ? {} : { shownDigest }),
      ...(reason === undefined ? {} : { reason }),
    });
    switch (result.status) {
      case 'ordered':
        if (parts.runs.isDraining) throw await notStarted(parts, result.record.id, identity);
        runAttempt(parts, result.record.id);
        return context.json({ approval: await viewApproval(result.record, identity, parts), result: result.status });
      case 'already_ordered':
      case 'not_unknown':
        throw alreadyDecided(await viewApproval(result.record, identity, parts), result.status);
      case 'void':
        throw new Problem(409, 'void', `This cannot be attempted again: ${result.because}.`);
      case 'digest_mismatch':
        throw digestMismatch();
      case 'not_found':
        throw notFound();
      default:
        return result satisfies never;
    }
  });
}

/** There is one order for each attempt, so it is not taken for what cannot be run here. Everything else is the gate's to say. */
async function requireRunnable(parts: HubParts, id: string, identity: Identity): Promise<void> {
  const record = await parts.gate.store.get(id);
  if (record === undefined || !mayOrder(record, identity, parts) || canAttempt(parts.agent, record.request.tool))
    return;
  const approval = await viewApproval(record, identity, parts);
  throw new Problem(
    409,
    'no_tool',
    'This hub has no single tool of that name that it could run; have the agent ask anew.',
    {
      extra: { approval },
    },
  );
}

/** Ordered while the hub was told to stop: it must not begin behind its back. */
async function notStarted({ gate, log }: HubParts, id: string, { principal: by }: Identity): Promise<Problem> {
  const because = 'the hub is stopping';
  await gate
    .cancel(id, { by, channel: 'http', because })
    .catch((error: unknown) =>
      log.warn('An attempt that did not begin stays ordered', { id, error: errorText(error) }),
    );
  return new Problem(503, 'stopping', 'The hub is stopping; try again soon.');
}

/** The attempt goes on without whoever ordered it; how it ends is in its record, also when it does not begin. */
function runAttempt({ agent, gate, runs, log }: HubParts, id: string): void {
  const attempt = async (signal: AbortSignal): Promise<void> => {
    let because = 'it could not be started; the log of the hub says why';
    try {
      const outcome = await attemptAgain(agent, id, { signal });
      if (outcome.status !== 'refused') return;
      because = `it was refused before it started: ${outcome.refusal.reason}`;
    } catch (error) {
      log.error('An ordered attempt failed', { id, error: errorText(error) });
    }
    // One that has begun, or is over, stays as it is.
    await gate.store.close(id, 'cancelled', gate.clock.now(), because);
  };
  runs.keep(id, attempt, (error) =>
    log.error('An attempt that did not begin stays ordered', { id, error: errorText(error) }),
  );
}
