import { type ApprovalRequest, type Principal, principalOf } from './call.ts';
import type { CatalogEntry } from './catalog.ts';

/**
 * Who sees which tool and who may decide what. A method that throws, or answers anything but `true`, means no.
 */
export interface Policy {
  /** Changes whenever the rules change; an open approval of another version is void. */
  readonly version: string;
  /** Whether this principal may see (and so call) the tool. */
  sees(principal: Principal, tool: CatalogEntry): boolean;
  /** Whether this principal may answer the question. Agents are refused before the policy is asked. */
  mayDecide(principal: Principal, request: ApprovalRequest): boolean;
}

/** Everybody sees every tool; only the requester decides. */
export const defaultPolicy: Policy = Object.freeze({
  version: 'default-1',
  sees: () => true,
  mayDecide: (principal: Principal, request: ApprovalRequest) => principal.id === principalOf(request.origin).id,
});

/** `policy.sees`, where a throw or anything but `true` means no. */
export function policySees(policy: Policy, principal: Principal, tool: CatalogEntry): boolean {
  try {
    return policy.sees(principal, tool) === true;
  } catch {
    return false;
  }
}

/** `policy.mayDecide`, where an agent, a throw or anything but `true` means no. */
export function policyMayDecide(policy: Policy, principal: Principal, request: ApprovalRequest): boolean {
  if (principal.kind !== 'person' && principal.kind !== 'service') return false;
  try {
    return policy.mayDecide(principal, request) === true;
  } catch {
    return false;
  }
}
