import { type ApprovalRequest, type Principal, principalOf } from '../../core/call.ts';
import { digestJson } from '../../core/digest.ts';
import type { Policy } from '../../core/policy.ts';
import type { HubConfig } from './hub-config.ts';
import type { Decider } from './hub-principals.ts';

/**
 * The policy that a configuration describes: everybody sees every tool; the requester decides, unless that is switched
 * off, and so do the deciders that are named. Its version is a digest of its rules, so an open approval from before they
 * were changed is void.
 */
export function configuredPolicy({ requesterDecides, deciders }: HubConfig['policy']): Policy {
  const rules = deciders.map(({ principal = null, role = null, tiers = null, tools = null }) => ({
    principal,
    role,
    tiers,
    tools,
  }));
  return Object.freeze({
    version: `config-1-${digestJson({ requesterDecides, deciders: rules }).slice(0, 16)}`,
    sees: () => true,
    mayDecide: (principal: Principal, request: ApprovalRequest) =>
      (requesterDecides && principal.id === principalOf(request.origin).id) ||
      deciders.some((decider) => isMeant(decider, principal) && covers(decider, request)),
  });
}

function isMeant(decider: Decider, { id, roles = [] }: Principal): boolean {
  if (decider.principal !== undefined) return decider.principal === id;
  return decider.role !== undefined && roles.includes(decider.role);
}

function covers({ tiers, tools }: Decider, request: ApprovalRequest): boolean {
  return (tiers === undefined || tiers.includes(request.tier)) && (tools === undefined || tools.includes(request.tool));
}
