import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { DecideResult } from '../../core/decide.ts';
import type { EditResult } from '../../core/edit.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';
import { type ApprovalView, viewApproval } from '../approval-view.ts';
import type { Identity } from '../auth/identity.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound, Problem } from '../problem.ts';
import { needs, readAllowed } from './guard.ts';

/** A SHA-256: of a question, or of exactly what was shown of it. */
export const digestShape: z.ZodString = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'must be the 64 hexadecimal digits of what was shown');

const body = z
  .strictObject({
    decision: z.enum(['approved', 'rejected']),
    digest: digestShape,
    shownDigest: digestShape.optional(),
    reason: z.string().max(10_000).optional(),
    editedArguments: z.unknown().optional(),
  })
  .refine(({ decision, editedArguments }) => decision === 'approved' || editedArguments === undefined, {
    message: 'editedArguments go with "approved" only',
  })
  .refine(({ reason, editedArguments }) => reason === undefined || editedArguments === undefined, {
    message: 'give either reason or editedArguments',
  });

type Decision = z.infer<typeof body>;

/** `POST /api/approvals/{id}/decision`: somebody answers. The first valid answer of all channels wins. */
export function decisionRoute(parts: HubParts): Hono<HubEnv> {
  return new Hono<HubEnv>().post('/api/approvals/:id/decision', needs('decide'), async (context) => {
    const identity = context.get('identity');
    const decision = await readAllowed(parts, context, body);
    const id = context.req.param('id');
    const result = await decide(parts, id, decision, identity, channelOf(identity, context.req.raw.headers));
    return answer(context, parts, result);
  });
}

/** Where an answer was given, for the record. */
export function channelOf({ via }: Identity, headers: Headers): 'web' | 'cli' | 'http' {
  if (via === 'session') return 'web';
  return headers.get('x-tau-client') === 'cli' ? 'cli' : 'http';
}

function decide(
  { gate }: HubParts,
  id: string,
  { decision, digest, shownDigest, reason, editedArguments }: Decision,
  { principal: by }: Identity,
  channel: string,
): Promise<DecideResult | EditResult> {
  const common = { by, channel, digest, ...(shownDigest === undefined ? {} : { shownDigest }) };
  if (editedArguments !== undefined) return gate.edit(id, { ...common, arguments: sealed(editedArguments) });
  return gate.decide(id, { ...common, decision, ...(reason === undefined ? {} : { reason }) });
}

function sealed(value: unknown): JSONValue {
  try {
    return sealJson(value);
  } catch {
    throw new Problem(422, 'invalid_arguments', 'editedArguments is not plain JSON.');
  }
}

async function answer(context: Context<HubEnv>, parts: HubParts, result: DecideResult | EditResult): Promise<Response> {
  const view = (record: ApprovalRecord): Promise<ApprovalView> => viewApproval(record, context.get('identity'), parts);
  switch (result.status) {
    case 'decided':
    case 'approved':
    case 'asked_again':
      return context.json({ approval: await view(result.record), result: result.status });
    case 'already_decided':
      throw alreadyDecided(await view(result.record));
    case 'invalid':
      throw new Problem(422, 'invalid_arguments', result.problem);
    case 'digest_mismatch':
      throw digestMismatch();
    case 'not_found':
      throw notFound();
    default:
      return result satisfies never;
  }
}

/** Somebody was faster, or it is over in another way; the answer shows the record as it is. */
export function alreadyDecided(approval: ApprovalView, code = 'already_decided'): Problem {
  return new Problem(409, code, 'It was decided before.', { extra: { approval } });
}

/** What was shown is not what is open. */
export function digestMismatch(): Problem {
  return new Problem(422, 'digest_mismatch', 'The digest is not that of the open question.');
}
