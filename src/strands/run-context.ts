import type { InvocationState, LocalAgent, Message, Snapshot } from '@strands-agents/sdk';
import type { CallOrigin, Principal } from '../core/call.ts';
import type { TierGate } from '../core/gate.ts';
import type { Budget } from './budget.ts';

/** One run (one user turn) of one agent, as its guarded tools see it. */
export interface RunContext {
  readonly gate: TierGate;
  readonly conversation: string;
  /** Id of the run, unguessable. */
  readonly run: string;
  readonly principal: Principal | undefined;
  /** Where its calls come from. */
  readonly origin: CallOrigin;
  /** Whether it goes on with calls of an earlier run, so that records of them may exist. */
  readonly resumed: boolean;
  /** Ids of the model messages whose calls were dispatched in this run. */
  readonly dispatched: Set<string>;
  /** Names this run may see; `undefined` means all. */
  readonly visible: ReadonlySet<string> | undefined;
  readonly budget: Budget;
  /** The agent that the run belongs to. */
  readonly root: LocalAgent;
  /** Whether the conversation outlives the process, so that calls are journaled. */
  readonly durable: boolean;
  /** Names of tier-2 tools that run in the background, where nothing can be parked. */
  readonly background: ReadonlySet<string>;
  /** Questions that were parked in this run and not decided in it. */
  readonly parked: Set<string>;
  /** Names of the interrupts that tau itself raised in this run; one that only looks like them is foreign. */
  readonly wakeups: Set<string>;
  /** Agents used as tools that wait, by the position of their call; see `waitingKey`. */
  readonly waiting: Map<string, Snapshot>;
  /** Agents used as tools whose calls can be parked, because the calls they serve can. */
  readonly parkable: WeakSet<LocalAgent>;
  /** Fires when the run is cancelled or left; what runs in the background has no other way to hear of it. */
  readonly stop: AbortController;
  /** The output-schema tool of this run, the SDK's own object, while there is one. */
  outputTool: object | undefined;
}

const contexts = new WeakMap<InvocationState, RunContext>();

/** Binds a run to the invocation state that the SDK hands to everything the run calls. */
export function bindRun(invocationState: InvocationState, context: RunContext): void {
  contexts.set(invocationState, context);
}

const served = new WeakSet<LocalAgent>();

/** Marks an agent that a server runs for others: a direct call on it has nobody who could be asked. */
export function markServed(agent: LocalAgent): void {
  served.add(agent);
}

/** Whether a server runs the agent for others. */
export function isServed(agent: LocalAgent): boolean {
  return served.has(agent);
}

/** The run that an invocation state belongs to; none for a direct call. */
export function runOf(invocationState: InvocationState): RunContext | undefined {
  return contexts.get(invocationState);
}

/** Where calls of a run come from. Without a run a call is direct. */
export function originOf(run: RunContext | undefined): CallOrigin {
  return run === undefined ? DIRECT : run.origin;
}

const DIRECT: CallOrigin = Object.freeze({ kind: 'direct' });

/** The tool calls of one model message, while an agent dispatches them. */
export interface Batch {
  readonly message: Message;
  /** Ids of its calls. */
  readonly ids: ReadonlySet<string>;
  /** Whether it is dispatched for the first time, so that there can be no records of its calls yet. */
  readonly fresh: boolean;
  /** Call ids whose stored records were used up in this dispatch; a retry of one asks anew. */
  readonly claimed: Set<string>;
  /** Whether the other questions of the batch have been asked. */
  asked: boolean;
  /** Stops the bodies that still report progress; the executor abandons them when its consumer leaves. */
  readonly abandon: Set<() => void>;
  closed: boolean;
}

const batches = new WeakMap<LocalAgent, Batch>();

/** Where the call of an agent used as a tool stands, for `RunContext.waiting`. */
export function waitingKey(batch: Batch, toolUseId: string): string {
  return `${batch.message.trackingId}/${toolUseId}`;
}

/** Starts a dispatch of the calls with these ids. */
export function openBatch(
  agent: LocalAgent,
  message: Message,
  ids: ReadonlySet<string>,
  run: RunContext | undefined,
): void {
  const fresh = run !== undefined && !run.resumed && !run.durable && !run.dispatched.has(message.trackingId);
  run?.dispatched.add(message.trackingId);
  batches.set(agent, { message, ids, fresh, claimed: new Set(), asked: false, abandon: new Set(), closed: false });
}

/** Ends a dispatch, and with it whatever its consumer has left behind. */
export function closeBatch(agent: LocalAgent): void {
  const batch = batches.get(agent);
  if (batch === undefined || batch.closed) return;
  batch.closed = true;
  for (const abandon of batch.abandon) abandon();
}

/** The dispatch that is under way. */
export function batchOf(agent: LocalAgent): Batch | undefined {
  const batch = batches.get(agent);
  return batch?.closed === true ? undefined : batch;
}

/** Forgets the last dispatch: a model call begins, so the history has it. */
export function forgetBatch(agent: LocalAgent): void {
  batches.delete(agent);
}

/**
 * Whether calls were dispatched that the history does not tell of yet: the SDK adds them together with their results, and
 * only if its stream is read that far.
 */
export function hasUntold(agent: LocalAgent): boolean {
  const batch = batches.get(agent);
  return batch !== undefined && !agent.messages.slice(-2).includes(batch.message);
}
