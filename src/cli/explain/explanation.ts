import type { Tool } from '@strands-agents/sdk';
import type { Answer, Approver } from '../../core/approver.ts';
import type { ApprovalRequest, Principal, ToolCall } from '../../core/call.ts';
import { ToolCatalog } from '../../core/catalog.ts';
import { TierGate } from '../../core/gate.ts';
import type { JSONValue } from '../../core/json.ts';
import type { Logger } from '../../core/platform.ts';
import { type Policy, policyMayDecide } from '../../core/policy.ts';
import type { Tier } from '../../core/tier.ts';
import type { RefusalReason } from '../../core/verdict.ts';
import { guardOf } from '../../strands/guards.ts';

/** What a gate would do with one call. */
export interface Explanation {
  readonly outcome: 'allow' | 'ask' | 'refuse';
  readonly tool: string;
  /** `undefined` for a tool that the catalog does not know. */
  readonly tier: Tier | undefined;
  /** What a person would be shown, of a call that is asked about. */
  readonly effect: string | undefined;
  /** With the defaults of the schema, of a call that is asked about; else as given. */
  readonly arguments: JSONValue;
  /** Why a refused call is refused. */
  readonly reason: RefusalReason | undefined;
  /** What the model would read of a refused call. */
  readonly refusal: string | undefined;
  readonly policyVersion: string;
  /** Ids of those whose answer would count, of the given ones, for a call that is asked about; for a requester who is known. */
  readonly deciders: readonly string[] | undefined;
}

/** Who would ask, and who could answer. */
export interface Asking {
  readonly principal: Principal;
  /** Those with the right to decide anything. */
  readonly answering: readonly Principal[];
}

/** Takes the question down and refuses: nobody is asked, and nothing that this approver says lets a call run. */
class NotedQuestion implements Approver {
  readonly name: string = 'explain';
  request: ApprovalRequest | undefined;

  decide(request: ApprovalRequest): Promise<Answer> {
    this.request = request;
    return Promise.resolve('rejected');
  }
}

const SILENT: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Puts a call to a real gate, over the real tools, and reads what it decides. The body is not at hand here, so it
 * cannot run.
 */
export async function explain(
  tools: readonly Tool[],
  { tool, arguments: args }: ToolCall,
  policy: Policy,
  asking?: Asking,
): Promise<Explanation> {
  const catalog = new ToolCatalog();
  catalog.extend(tools.flatMap((item) => guardOf(item)?.entry ?? []));
  const asked = new NotedQuestion();
  const gate = new TierGate({ catalog, approver: asked, logger: SILENT, policy });
  const origin = asking === undefined ? {} : { origin: { kind: 'model', principal: asking.principal } as const };
  const verdict = await gate.check({ tool, arguments: args, ...origin });
  const common = { tool, tier: catalog.get(tool)?.tier, policyVersion: gate.policy.version };
  const { request } = asked;
  if (request !== undefined) {
    const { effect, arguments: shown } = request;
    const deciders = asking?.answering.filter((person) => policyMayDecide(policy, person, request)).map(({ id }) => id);
    return { ...common, outcome: 'ask', effect, arguments: shown, reason: undefined, refusal: undefined, deciders };
  }
  const unasked = { ...common, effect: undefined, arguments: args, deciders: undefined };
  if (verdict.allowed) return { ...unasked, outcome: 'allow', reason: undefined, refusal: undefined };
  if (verdict.approval === 'pending') return { ...unasked, outcome: 'ask', reason: undefined, refusal: undefined };
  return { ...unasked, outcome: 'refuse', reason: verdict.reason, refusal: verdict.refusal };
}
