import { z } from 'zod';
import type { ApprovalRequest } from '../../core/call.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';

const json: z.ZodType<JSONValue> = z.unknown().transform((value) => sealJson(value));

const person = z.object({ id: z.string(), kind: z.enum(['person', 'service', 'agent']) });

/** An approval as the hub shows it. */
export const approvalSchema = z.object({
  id: z.string(),
  status: z.string(),
  tool: z.string(),
  tier: z.literal([0, 1, 2]),
  effect: z.string(),
  arguments: json,
  digest: z.string(),
  requester: person,
  threadId: z.string().nullable(),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  decision: z
    .object({
      decision: z.string(),
      by: person,
      channel: z.string(),
      at: z.number(),
      tookMs: z.number(),
      reason: z.string().optional(),
    })
    .optional(),
  outcome: z.object({ status: z.string(), at: z.number(), result: json.optional() }).optional(),
  deliveries: z.array(
    z.object({ channel: z.string(), at: z.number(), delivered: z.boolean(), error: z.string().optional() }),
  ),
  editOf: z.string().optional(),
  retryOf: z.string().optional(),
  closedBecause: z.string().optional(),
  mayDecide: z.boolean(),
});

/** An approval as the hub shows it. */
export type Approval = z.infer<typeof approvalSchema>;

/** The question of an approval, for whoever shows questions. */
export function requestOf(approval: Approval): ApprovalRequest {
  const { id, tool, tier, effect, arguments: args, digest, requester, threadId } = approval;
  return {
    id,
    tool,
    tier,
    effect,
    arguments: args,
    digest,
    origin: { kind: 'model', principal: requester, ...(threadId === null ? {} : { conversation: threadId }) },
  };
}
