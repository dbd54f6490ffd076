import type { Tool } from '@strands-agents/sdk';
import type { ApprovalRequest, Principal } from '../../core/call.ts';
import { type Policy, policyMayDecide } from '../../core/policy.ts';
import { tierOf } from '../../strands/index.ts';
import { configuredPolicy } from '../config/hub-policy.ts';
import { scopesOf } from '../serve/first-token.ts';
import { openTools, type Setting } from '../setting.ts';
import type { Finding } from './finding.ts';

/** Whether what `[policy]` names is there, and whether somebody could answer for each tool that asks. */
export async function checkPolicy(setting: Setting): Promise<Finding> {
  const { say } = setting;
  // Tools that do not load are told of by their own check.
  const tools = await openTools(setting, () => undefined).catch(() => undefined);
  const doubts = [...rolesOfNobody(setting), ...(tools === undefined ? [] : doubtfulTools(setting, tools))];
  if (doubts.length > 0) return { check: 'doctor.policy', status: 'doubtful', text: doubts.join('\n') };
  return tools === undefined
    ? { check: 'doctor.policy', status: 'note', text: say('doctor.policy_no_tools') }
    : { check: 'doctor.policy', status: 'ok', text: say('doctor.policy_ok') };
}

function rolesOfNobody({ config: { hub }, say }: Setting): readonly string[] {
  const held = new Set(hub.principals.flatMap(({ roles = [] }) => roles));
  const named = new Set(hub.policy.deciders.flatMap(({ role }) => (role === undefined ? [] : [role])));
  return [...named].filter((role) => !held.has(role)).map((role) => say('doctor.policy_role', { role }));
}

function doubtfulTools({ config: { hub }, say }: Setting, tools: readonly Tool[]): readonly string[] {
  const known = new Set(tools.map(({ name }) => name));
  const named = new Set(hub.policy.deciders.flatMap((decider) => decider.tools ?? []));
  const unknown = [...named].filter((tool) => !known.has(tool)).map((tool) => say('doctor.policy_tool', { tool }));
  const policy = configuredPolicy(hub.policy);
  const deciders = hub.principals.filter((principal) => scopesOf(principal).includes('decide'));
  const stuck = tools
    .filter((tool) => tierOf(tool) === 2 && !isDecidable(tool.name, { policy, deciders, requesters: hub.principals }))
    .map(({ name }) => say('doctor.policy_nobody', { tool: name }));
  return [...unknown, ...stuck];
}

interface People {
  readonly policy: Policy;
  readonly deciders: readonly Principal[];
  readonly requesters: readonly Principal[];
}

/** Whether somebody may answer a question about a tool, whoever asks it. */
function isDecidable(tool: string, { policy, deciders, requesters }: People): boolean {
  return requesters.some((requester) =>
    deciders.some((decider) => policyMayDecide(policy, decider, questionOf(tool, requester))),
  );
}

function questionOf(tool: string, principal: Principal): ApprovalRequest {
  const origin = { kind: 'model', principal } as const;
  return { id: 'doctor', tool, tier: 2, effect: '', arguments: {}, digest: '', origin };
}
