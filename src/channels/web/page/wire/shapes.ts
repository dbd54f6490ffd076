import { z } from 'zod/mini';
import type { JSONValue } from '../../../../core/json.ts';
import type { Tier } from '../../../../core/tier.ts';

// What the hub's HTTP API answers, as docs/guide/http-api.md has it. Unknown keys are dropped, so a newer hub does not
// break an older page.

// Zod compiles validators with `new Function`, which the page's content security policy forbids.
z.config({ jitless: true });

/** An account, as far as the page tells about it. */
export interface Who {
  readonly id: string;
  readonly kind?: string | undefined;
}

/** Proof of one delivery of a question. */
export interface Delivery {
  readonly channel: string;
  readonly at: number;
  readonly delivered: boolean;
  readonly error?: string | undefined;
}

/** Who decided what, where and when. */
export interface Decided {
  readonly decision: string;
  readonly by: Who;
  readonly channel: string;
  readonly at: number;
  readonly tookMs: number;
  readonly reason?: string | undefined;
}

/** How the body of the tool ended. */
export interface Outcome {
  readonly status: string;
  readonly at: number;
  readonly result?: JSONValue | undefined;
}

/** One question with everything that the hub tells of it. */
export interface Approval {
  readonly id: string;
  readonly status: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly effect: string;
  readonly arguments: JSONValue;
  readonly digest: string;
  readonly requester: Who;
  readonly threadId?: string | undefined;
  readonly runId?: string | undefined;
  /** The call in the conversation that it is about. */
  readonly toolCallId?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
  readonly updatedAt: number;
  readonly deliveries: readonly Delivery[];
  readonly decision?: Decided | undefined;
  readonly outcome?: Outcome | undefined;
  readonly editOf?: string | undefined;
  readonly retryOf?: string | undefined;
  /** The attempt at it that was ordered. */
  readonly retriedAs?: string | undefined;
  readonly closedBecause?: string | undefined;
  readonly mayDecide: boolean;
  readonly mayRetry: boolean;
}

/** Where a conversation is. */
export type ThreadStatus = 'idle' | 'running' | 'waiting';

/** One conversation in a list. */
export interface ThreadSummary {
  readonly threadId: string;
  readonly status: ThreadStatus;
  readonly updatedAt: number;
  readonly title: string;
}

/** One message of a conversation, AG-UI's. */
export interface Message {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?:
    | readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
    | undefined;
  readonly toolCallId?: string | undefined;
  readonly error?: string | undefined;
}

/** One conversation, whole. */
export interface Thread {
  readonly threadId: string;
  readonly status: ThreadStatus;
  readonly messages: readonly Message[];
}

/** One row of the audit chain. */
export interface AuditRow {
  readonly seq: number;
  readonly at: number;
  readonly event: { readonly [key: string]: JSONValue };
  readonly hash: string;
}

/** Who the page speaks to, and what they may do. */
export interface Me {
  readonly principal: Who;
  readonly scopes: readonly string[];
  readonly language?: string | undefined;
  readonly demo?: unknown;
}

/** A tool of the agent. */
export interface ToolInfo {
  readonly name: string;
  readonly description?: string | undefined;
  readonly tier: Tier;
  readonly effect?: unknown;
  readonly visible?: boolean | undefined;
}

/** Anything that came out of `JSON.parse`. */
const json = z.custom<JSONValue>((value) => value !== undefined);

const who = z.union([
  z.pipe(
    z.string(),
    z.transform((id): Who => ({ id })),
  ),
  z.object({ id: z.string(), kind: z.optional(z.string()) }),
]);

const delivery = z.object({
  channel: z.string(),
  at: z.number(),
  delivered: z.boolean(),
  error: z.optional(z.string()),
});

const decided = z.object({
  decision: z.string(),
  by: who,
  channel: z.string(),
  at: z.number(),
  tookMs: z.number(),
  reason: z.optional(z.string()),
});

const outcome = z.object({ status: z.string(), at: z.number(), result: z.optional(json) });

const approval = z.object({
  id: z.string(),
  status: z.string(),
  tool: z.string(),
  tier: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  effect: z.string(),
  arguments: json,
  digest: z.string(),
  requester: who,
  threadId: z.optional(z.string()),
  runId: z.optional(z.string()),
  toolCallId: z.optional(z.string()),
  createdAt: z.number(),
  expiresAt: z.optional(z.number()),
  updatedAt: z.number(),
  deliveries: z.array(delivery),
  decision: z.optional(decided),
  outcome: z.optional(outcome),
  editOf: z.optional(z.string()),
  retryOf: z.optional(z.string()),
  retriedAs: z.optional(z.string()),
  closedBecause: z.optional(z.string()),
  mayDecide: z.boolean(),
  mayRetry: z.boolean(),
});

const threadStatus = z.enum(['idle', 'running', 'waiting']);

const message = z.object({
  id: z.string(),
  role: z.string(),
  content: z.optional(z.unknown()),
  toolCalls: z.optional(
    z.array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })),
  ),
  toolCallId: z.optional(z.string()),
  error: z.optional(z.string()),
});

const auditRow = z.object({
  seq: z.number(),
  at: z.number(),
  event: z.record(z.string(), json),
  hash: z.string(),
});

/** Reads one kind of answer; a value that does not fit is an error of the hub. */
export type Shape<T> = z.ZodMiniType<T>;

/** `{ approval }`. */
export const approvalShape: Shape<{ readonly approval: Approval }> = z.object({ approval });
/** `{ approvals, nextCursor? }`. */
export const approvalsShape: Shape<{
  readonly approvals: readonly Approval[];
  readonly nextCursor?: string | null | undefined;
}> = z.object({ approvals: z.array(approval), nextCursor: z.optional(z.nullable(z.string())) });
/** `{ approval, result }`, the answer to a decision. */
export const decisionShape: Shape<{ readonly approval: Approval; readonly result?: unknown }> = z.object({
  approval,
  result: z.optional(z.unknown()),
});
/** `{ stopped }`: whether there was a run to stop. */
export const stopShape: Shape<{ readonly stopped: boolean }> = z.object({ stopped: z.boolean() });
/** `{ threads }`. */
export const threadsShape: Shape<{ readonly threads: readonly ThreadSummary[] }> = z.object({
  threads: z.array(z.object({ threadId: z.string(), status: threadStatus, updatedAt: z.number(), title: z.string() })),
});
/** The messages of a conversation, as an event carries them. */
export const messagesShape: Shape<readonly Message[]> = z.array(message);
/** One conversation. */
export const threadShape: Shape<Thread> = z.object({
  threadId: z.string(),
  status: threadStatus,
  messages: z.array(message),
});
/** `{ rows, last, head }`; `last` is the last row that the hub looked at. */
export const auditShape: Shape<{
  readonly rows: readonly AuditRow[];
  readonly last: number;
  readonly head: { readonly seq: number; readonly hash: string };
}> = z.object({
  rows: z.array(auditRow),
  last: z.number(),
  head: z.object({ seq: z.number(), hash: z.string() }),
});
/** One row, as an event carries it. */
export const auditRowShape: Shape<AuditRow> = auditRow;
/** `{ principal, scopes, language, demo }`. */
export const meShape: Shape<Me> = z.object({
  principal: who,
  scopes: z.array(z.string()),
  language: z.optional(z.string()),
  demo: z.optional(z.unknown()),
});
/** `{ tools }`. */
export const toolsShape: Shape<{ readonly tools: readonly ToolInfo[] }> = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.optional(z.string()),
      tier: z.union([z.literal(0), z.literal(1), z.literal(2)]),
      effect: z.optional(z.unknown()),
      visible: z.optional(z.boolean()),
    }),
  ),
});
/** The data of an `approval` event. */
export const approvalEventShape: Shape<{ readonly id: string; readonly status: string }> = z.object({
  id: z.string(),
  status: z.string(),
});
/** The data of a `thread` event. */
export const threadEventShape: Shape<{ readonly threadId: string; readonly status: string }> = z.object({
  threadId: z.string(),
  status: z.string(),
});
/** `{ error, approval? }`: why a request was refused. */
export const errorShape: Shape<{
  readonly error: { readonly code: string; readonly message: string };
  readonly approval?: Approval | undefined;
}> = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
  approval: z.optional(approval),
});
/** Anything: for answers that carry nothing. */
export const anythingShape: Shape<unknown> = z.unknown();
/** An AG-UI event of any kind. */
export const eventShape: Shape<{ readonly type: string; readonly [key: string]: unknown }> = z.looseObject({
  type: z.string(),
});
/** What a run waits for. */
export const interruptOutcomeShape: Shape<{
  readonly type: 'interrupt';
  readonly interrupts: readonly {
    readonly id: string;
    readonly reason?: string | undefined;
    readonly message?: string | undefined;
  }[];
}> = z.object({
  type: z.literal('interrupt'),
  interrupts: z.array(z.object({ id: z.string(), reason: z.optional(z.string()), message: z.optional(z.string()) })),
});
