import { type Agent, type LocalAgent, type Tool, type ToolContext, ToolResultBlock } from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import type { JSONValue } from '../core/json.ts';
import type { CallOutcome } from '../core/outcome.ts';
import { describeResult } from './guard-call.ts';
import { guardOf } from './guards.ts';
import { agentBehind } from './sdk-internals.ts';
import type { TauAgent } from './tau-agent.ts';

/**
 * Runs a new attempt that a person ordered with `TierGate.retry`: the body of the guarded tool, once, with the stored
 * arguments, through all checks of the gate. It is no turn: the model is not called and the history stays as it is; what
 * happened is told by the gate's events and in the record.
 *
 * The turn that the call came from has ended with an unknown outcome, and the model was told so. Tell it in the next
 * prompt what the new attempt did, if it should know.
 *
 * @param agent - An agent that has the tool, or whose agents used as tools have it; its gate keeps the record.
 * @param approvalId - Id of the record that `retry` made.
 * @throws TauError when this is no attempt that was ordered (`not_ordered`), or the tool is not one that `canAttempt`
 *   (`no_tool`).
 */
export async function attemptAgain(
  agent: TauAgent,
  approvalId: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<CallOutcome<ToolResultBlock>> {
  const record = await agent.gate.store.get(approvalId);
  if (record?.retryOf === undefined) throw new TauError('not_ordered', 'nobody has ordered such an attempt');
  const { tool: name, toolUseId = approvalId } = record.request;
  const body = bodyOf(agent, name);
  if (body === undefined) throw new TauError('no_tool', `the agent has no tool '${name}' that could be run by itself`);
  const { signal } = options;
  const cancelSignal = signal ?? new AbortController().signal;
  const run = (args: JSONValue): Promise<ToolResultBlock> =>
    runOnce(body.inner, { agent: body.owner, name, toolUseId, args, cancelSignal });
  const given = signal === undefined ? {} : { signal };
  return agent.gate.attempt(approvalId, run, { ...given, describe: describeResult });
}

/**
 * Whether `attemptAgain` could run a new attempt of a call of this tool: the agent, or an agent that it uses as a tool, has
 * it under the same gate, and it is no agent itself. Ask before an attempt is ordered, since there is one order only.
 */
export function canAttempt(agent: TauAgent, tool: string): boolean {
  return bodyOf(agent, tool) !== undefined;
}

/** A tool body, and an agent that has it. */
interface ToolBody {
  readonly owner: Agent;
  readonly inner: Tool;
}

/** The body behind a tool's name. Where two agents have different ones, nobody can say which of them was approved. */
function bodyOf({ agent, gate }: TauAgent, name: string): ToolBody | undefined {
  const found = agentsIn(agent).flatMap((owner) => {
    const guard = guardOf(owner.toolRegistry.get(name));
    return guard?.gate === gate ? [{ owner, inner: guard.inner, kind: guard.kind }] : [];
  });
  const [first] = found;
  return first?.kind === 'leaf' && found.every(({ inner }) => inner === first.inner) ? first : undefined;
}

/** An agent and all that it has as tools, at any depth, the outermost first. */
function agentsIn(root: Agent): readonly Agent[] {
  const agents = new Set([root]);
  // A set goes on with what is added while it is walked through.
  for (const agent of agents) {
    for (const tool of agent.toolRegistry.list()) {
      const guard = guardOf(tool);
      const below = guard?.kind === 'agent' ? agentBehind(guard.inner) : undefined;
      if (below !== undefined) agents.add(below);
    }
  }
  return [...agents];
}

interface Attempt {
  readonly agent: LocalAgent;
  readonly name: string;
  readonly toolUseId: string;
  readonly args: JSONValue;
  readonly cancelSignal: AbortSignal;
}

/** Runs the inner tool to its end; nobody takes its progress. */
async function runOnce(inner: Tool, { agent, name, toolUseId, args, cancelSignal }: Attempt): Promise<ToolResultBlock> {
  const stream = inner.stream({
    // The SDK types JSON as mutable; this is frozen, and the body is to be told so by failing.
    toolUse: { name, toolUseId, input: args as ToolContext['toolUse']['input'] },
    agent,
    invocationState: {},
    cancelSignal,
    interrupt: () => {
      throw new TauError('interrupt', 'a new attempt is no turn: there is nothing that could be paused');
    },
  });
  for (;;) {
    const next = await stream.next();
    if (next.done !== true) continue;
    return next.value ?? new ToolResultBlock({ toolUseId, status: 'error', content: [] });
  }
}
