import {
  type Agent,
  type AgentResult,
  JsonBlock,
  type Snapshot,
  TextBlock,
  type Tool,
  type ToolContext,
  ToolResultBlock,
  ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import { clearCheckpoint, pendingBatch, readCheckpoint, wake } from './checkpoint.ts';
import type { RunContext } from './run-context.ts';

/** Thrown by the body of an agent used as a tool when one of its own calls waits for a decision. */
export class SubAgentWaiting extends Error {
  /** Everything needed to go on. */
  readonly snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    super('an agent used as a tool waits for a decision');
    this.name = 'SubAgentWaiting';
    this.snapshot = snapshot;
  }
}

/**
 * Runs an agent that is used as a tool, or goes on where it waited. The SDK's own wrapper takes an inner stop for a
 * success; here the stop is handed up, so that the outer run stops too and one decision wakes them all.
 */
export async function* runSubAgent(
  inner: Tool,
  agent: Agent,
  context: ToolContext,
  run: RunContext,
  waiting: Snapshot | undefined,
): ToolStreamGenerator {
  const { toolUseId } = context.toolUse;
  const result = waiting === undefined ? yield* inner.stream(context) : yield* goOn(agent, context, waiting);
  const { pending, names } = readCheckpoint(agent);
  if (pending === undefined) return result;
  const snapshot = agent.takeSnapshot({ preset: 'session' });
  clearCheckpoint(agent);
  if (names.some((name) => run.wakeups.has(name)) && pendingBatch(pending) !== undefined) {
    throw new SubAgentWaiting(snapshot);
  }
  run.gate.reportError('interrupt', `an interrupt inside '${inner.name}' was refused`, { tool: inner.name });
  return textResult(toolUseId, 'error', `The agent '${inner.name}' was interrupted and did not finish.`);
}

async function* goOn(agent: Agent, context: ToolContext, waiting: Snapshot): ToolStreamGenerator {
  const { toolUse, invocationState, cancelSignal } = context;
  agent.loadSnapshot(waiting);
  const { pending } = readCheckpoint(agent);
  if (pending === undefined) return textResult(toolUse.toolUseId, 'error', 'The agent had nothing to go on with.');
  const stream = agent.stream(wake(agent, pending), { invocationState, cancelSignal });
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return resultBlock(next.value, toolUse.toolUseId);
    yield new ToolStreamEvent({ data: next.value });
  }
}

function resultBlock(result: AgentResult, toolUseId: string): ToolResultBlock {
  if (result.stopReason === 'cancelled') return textResult(toolUseId, 'error', 'The agent was cancelled.');
  if (result.structuredOutput === undefined) return textResult(toolUseId, 'success', result.toString());
  const json = new JsonBlock({ json: result.structuredOutput as JsonBlock['json'] });
  return new ToolResultBlock({ toolUseId, status: 'success', content: [json] });
}

function textResult(toolUseId: string, status: 'success' | 'error', text: string): ToolResultBlock {
  return new ToolResultBlock({ toolUseId, status, content: [new TextBlock(text)] });
}
