import { z } from 'zod';
import type { ApprovalRequest } from '../../core/call.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { Tier } from '../../core/tier.ts';

/** Somebody, as the hub shows them. */
interface Person {
  readonly id: string;
  readonly kind: 'person' | 'service' | 'agent';
}

/** An approval as the hub shows it. */
export interface Approval {
  readonly id: string;
  readonly status: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly effect: string;
  readonly arguments: JSONValue;
  readonly digest: string;
  readonly requester: Person;
  readonly threadId?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
  readonly decision?:
    | {
        readonly decision: string;
        readonly by: Person;
        readonly channel: string;
        readonly at: number;
        readonly reason?: string | undefined;
      }
    | undefined;
  readonly outcome?: { readonly status: string; readonly at: number } | undefined;
  readonly editOf?: string | undefined;
  readonly retryOf?: string | undefined;
  readonly closedBecause?: string | undefined;
}

const json: z.ZodType<JSONValue> = z.unknown().transform((value) => sealJson(value));

const person = z.looseObject({ id: z.string(), kind: z.enum(['person', 'service', 'agent']) });

/** What the hub adds later is kept for `--json`. */
export const approvalSchema: z.ZodType<Approval> = z.looseObject({
  id: z.string(),
  status: z.string(),
  tool: z.string(),
  tier: z.literal([0, 1, 2]),
  effect: z.string(),
  arguments: json,
  digest: z.string(),
  requester: person,
  threadId: z.string().optional(),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  decision: z
    .looseObject({
      decision: z.string(),
      by: person,
      channel: z.string(),
      at: z.number(),
      reason: z.string().optional(),
    })
    .optional(),
  outcome: z.looseObject({ status: z.string(), at: z.number() }).optional(),
  editOf: z.string().optional(),
  retryOf: z.string().optional(),
  closedBecause: z.string().optional(),
});

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
    origin: { kind: 'model', principal: requester, ...(threadId === undefined ? {} : { conversation: threadId }) },
  };
}
