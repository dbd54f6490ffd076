import type { JSONValue } from './json.ts';
import type { Tier } from './tier.ts';

/** Who is behind a call or an answer. An `agent` never decides. */
export interface Principal {
  /** Stable id of the account, unique in this installation. */
  readonly id: string;
  readonly kind: 'person' | 'service' | 'agent';
  readonly roles?: readonly string[];
}

/** Where a call comes from. */
export interface CallOrigin {
  /** `model`: the agent loop; `routine`: the reflex engine; `mcp`: an MCP client; `direct`: code that called the tool. */
  readonly kind: 'model' | 'routine' | 'mcp' | 'direct';
  readonly conversation?: string;
  /** Id of the one run (one user turn, one routine run) the call belongs to. */
  readonly run?: string;
  readonly principal?: Principal;
  /** Name of the channel that the request came from, such as `terminal`. */
  readonly channel?: string;
}

/** One call of one tool, as somebody wants to make it. */
export interface ToolCall {
  readonly tool: string;
  readonly arguments: JSONValue;
  /** The model's own id of the call. It is shown and recorded, never relied on: models repeat ids. */
  readonly toolUseId?: string;
  readonly origin?: CallOrigin;
}

/** The question that is put to a person. Frozen; what it shows is exactly what would run. */
export interface ApprovalRequest {
  /** Unguessable id of the question. */
  readonly id: string;
  readonly tool: string;
  readonly tier: Tier;
  /** One line by the tool's author that says what this call will do. */
  readonly effect: string;
  readonly arguments: JSONValue;
  /** SHA-256 (hex) over RFC 8785 JSON of id, tool, tier, effect, arguments, definition and requester. */
  readonly digest: string;
  readonly toolUseId?: string;
  readonly origin: CallOrigin;
}

/** The principal of a call that states none. */
export const ANONYMOUS: Principal = Object.freeze({ id: 'anonymous', kind: 'person' });

/** The principal that tau itself decides as, when nobody else did. */
export const TAU: Principal = Object.freeze({ id: 'tau', kind: 'service' });

/** Who is behind an origin; `ANONYMOUS` when it does not say. */
export function principalOf(origin: CallOrigin | undefined): Principal {
  return origin?.principal ?? ANONYMOUS;
}

/** Copies and freezes an origin, so that nobody can change who asked while the question is open. */
export function freezeOrigin(origin: CallOrigin | undefined): CallOrigin {
  if (origin === undefined) return DIRECT;
  if (frozenOrigins.has(origin)) return origin;
  const { principal, ...rest } = origin;
  const frozen = Object.freeze({
    ...rest,
    ...(principal === undefined ? {} : { principal: freezePrincipal(principal) }),
  });
  frozenOrigins.add(frozen);
  return frozen;
}

/** Copies and freezes a principal with its roles. */
export function freezePrincipal({ id, kind, roles }: Principal): Principal {
  return Object.freeze({ id, kind, ...(roles === undefined ? {} : { roles: Object.freeze([...roles]) }) });
}

/**
 * Reads a call once, so that whoever made it can no longer change what it says. A call that cannot be read, or whose
 * tool is no string, names a tool that no catalog holds.
 */
export function readCall(call: ToolCall): ToolCall {
  try {
    const { tool, arguments: args, toolUseId, origin } = call;
    return Object.freeze({
      tool: typeof tool === 'string' ? tool : `(${typeof tool})`,
      arguments: args,
      ...(toolUseId === undefined ? {} : { toolUseId: String(toolUseId) }),
      origin: freezeOrigin(origin),
    });
  } catch {
    return Object.freeze({ tool: '(unreadable)', arguments: null, origin: DIRECT });
  }
}

const DIRECT: CallOrigin = Object.freeze({ kind: 'direct' });

/** Origins that `freezeOrigin` made; what somebody else froze may still have roles or getters that change. */
const frozenOrigins = new WeakSet<CallOrigin>([DIRECT]);
