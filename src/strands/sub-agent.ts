import {
  type Agent,
  type AgentResult,
  type AgentStreamEvent,
  type InvokeArgs,
  JsonBlock,
  type LocalAgent,
  type Snapshot,
  TextBlock,
  type ToolContext,
  ToolResultBlock,
  ToolStreamEvent,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { dropCheckpoint, pendingBatch, readCheckpoint, wake } from './checkpoint.ts';
import { leaveStream } from './leave-stream.ts';
import type { RunContext } from './run-context.ts';
import { takeSeat } from './sub-agent-seat.ts';

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

/** One call of an agent that is used as a tool. */
export interface SubAgentCall {
  readonly agent: Agent;
  /** What it begins each call with; none when it keeps its context from one call to the next. */
  readonly start: Snapshot | undefined;
  readonly gate: TierGate;
  readonly context: ToolContext;
  readonly run: RunContext | undefined;
  /** Fires when the call is cancelled. */
  readonly signal: AbortSignal;
  /** Where it goes on, when it waited. */
  readonly waiting: Snapshot | undefined;
  /** Whether its own calls can be parked. */
  readonly parkable: boolean;
  /** Whether it waits while somebody else uses the agent. */
  readonly waits: boolean;
}

/**
 * Runs an agent that is used as a tool, or goes on where it waited, with the agent for this call alone: it begins from
 * its own start, and is put back to it whatever ends the call, so that nobody else meets anything of it. The SDK's own
 * wrapper takes an inner stop for a success; here the stop is handed up, so that the outer run stops too and one decision
 * wakes them all.
 */
export async function* runSubAgent(call: SubAgentCall): ToolStreamGenerator {
  const { agent, context } = call;
  const release = await takeSeat({ ...call, caller: context.agent });
  try {
    const input = begin(call);
    if (input === undefined) return textResult(call, 'error', 'The agent had nothing to go on with.');
    return resultOf(call, yield* invoke(agent, input, context));
  } finally {
    putBack(call);
    release();
  }
}

/** Brings the agent to where the call begins; returns its input, none when nothing waits. */
function begin({ agent, start, context, run, waiting, parkable }: SubAgentCall): InvokeArgs | undefined {
  if (start === undefined) keepFor(agent, run?.root ?? context.agent);
  if (parkable) run?.parkable.add(agent);
  else run?.parkable.delete(agent);
  const state = waiting ?? start;
  if (state !== undefined) agent.loadSnapshot(state);
  // The guard has seen to it that the input fits the schema of the SDK's own wrapper.
  if (waiting === undefined) return (context.toolUse.input as { readonly input: string }).input;
  const { pending } = readCheckpoint(agent);
  return pending === undefined ? undefined : wake(agent, pending);
}

const keepers = new WeakMap<Agent, WeakRef<LocalAgent>>();

/** An agent that keeps its context keeps what one conversation said; another one must not read it. */
function keepFor(agent: Agent, root: LocalAgent): void {
  const keeper = keepers.get(agent);
  if (keeper === undefined) keepers.set(agent, new WeakRef(root));
  else if (keeper.deref() !== root) throw new TauError('sub_agent', keptText(agent.name));
}

function keptText(name: string): string {
  return `Agent '${name}' keeps its context, which belongs to another conversation. Use asTool() without preserveContext, or a factory that makes the agents of each conversation anew`;
}

async function* invoke(
  agent: Agent,
  input: InvokeArgs,
  { invocationState, cancelSignal }: ToolContext,
): AsyncGenerator<ToolStreamEvent, AgentResult, undefined> {
  const stream = agent.stream(input, { invocationState, cancelSignal });
  let open = true;
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true) {
        open = false;
        return next.value;
      }
      yield progressOf(next.value);
    }
  } finally {
    if (open) await leave(agent, stream);
  }
}

/** An agent whose stream is only dropped would be busy for ever. */
async function leave(agent: Agent, stream: ReturnType<Agent['stream']>): Promise<void> {
  agent.cancel();
  await leaveStream(agent, stream);
}

function progressOf(event: AgentStreamEvent): ToolStreamEvent {
  return event.type === 'toolStreamUpdateEvent' ? event.event : new ToolStreamEvent({ data: event });
}

/** What the agent said, or where it stopped. */
function resultOf(call: SubAgentCall, result: AgentResult): ToolResultBlock {
  const { agent, run, gate, context } = call;
  const { pending, names } = readCheckpoint(agent);
  if (pending === undefined) return resultBlock(call, result);
  if (run !== undefined && names.some((name) => run.wakeups.has(name)) && pendingBatch(pending) !== undefined) {
    throw new SubAgentWaiting(agent.takeSnapshot({ preset: 'session' }));
  }
  const { name } = context.toolUse;
  gate.reportError('interrupt', `an interrupt inside '${name}' was refused`, { tool: name });
  return textResult(call, 'error', `The agent '${name}' was interrupted and did not finish.`);
}

function resultBlock(call: SubAgentCall, result: AgentResult): ToolResultBlock {
  const { toolUseId } = call.context.toolUse;
  if (result.stopReason === 'cancelled') return textResult(call, 'error', 'The agent was cancelled.');
  if (result.structuredOutput === undefined) return textResult(call, 'success', result.toString());
  const json = new JsonBlock({ json: result.structuredOutput as JsonBlock['json'] });
  return new ToolResultBlock({ toolUseId, status: 'success', content: [json] });
}

function textResult({ context }: SubAgentCall, status: 'success' | 'error', text: string): ToolResultBlock {
  const { toolUseId } = context.toolUse;
  return new ToolResultBlock({ toolUseId, status, content: [new TextBlock(text)] });
}

/** Leaves nothing of the call in the agent. Where the SDK does not permit it, the next call cannot begin either. */
function putBack({ agent, start }: SubAgentCall): void {
  try {
    dropCheckpoint(agent);
    if (start !== undefined) agent.loadSnapshot(start);
  } catch {
    // It says why to the next call, which begins from the same start.
  }
}
