/**
 * The SDK's interrupt checkpoint, read and written through its public snapshots. The shape inside is not documented;
 * it is known to this file only, and what does not have it is a ConfigError.
 */
import { type Agent, InterruptResponseContent, type LocalAgent } from '@strands-agents/sdk';
import { ConfigError, errorText, TauError } from '../core/errors.ts';
import { isJsonObject, type JSONValue } from '../core/json.ts';
import { isSurelyIdle, replaceInterrupts } from './sdk-internals.ts';

/** What the loop stopped at. */
export interface Checkpoint {
  /** The model message and finished results that the loop would go on with; JSON of the SDK's own. */
  readonly pending: JSONValue | undefined;
  readonly activated: boolean;
  /** Names of the interrupts that wait. */
  readonly names: readonly string[];
  /** The interrupts by id, as JSON of the SDK's own. */
  readonly interrupts: { readonly [id: string]: JSONValue };
}

/**
 * Reads the checkpoint of an agent, nothing left out: what a model said or a tool answered can hold things that nobody may
 * approve or run, such as half a character or a key named `__proto__`, and still has to be kept beside a call that waits.
 *
 * @throws TauError `parking` when no copy can be made of it, because it is nested thousands of levels deep.
 */
export function readCheckpoint(agent: Agent): Checkpoint {
  const state = stateOf(agent);
  if (state === undefined) return IDLE;
  const { interrupts, activated, pending } = state;
  const copied = copyOf({ interrupts, pending: pending ?? null });
  const names = Object.values(copied.interrupts).flatMap((interrupt) =>
    isJsonObject(interrupt) && typeof interrupt.name === 'string' ? [interrupt.name] : [],
  );
  return { pending: copied.pending ?? undefined, activated, interrupts: copied.interrupts, names };
}

const IDLE: Checkpoint = Object.freeze({ pending: undefined, activated: false, names: [], interrupts: {} });

/** The state as the SDK has it, uncopied, so that this much can be read of any; `undefined` when nothing waits. */
function stateOf(agent: LocalAgent): Omit<Checkpoint, 'names'> | undefined {
  if (isSurelyIdle(agent)) return undefined;
  const state = agent.takeSnapshot({ include: ['interrupts'] }).data.interrupts as JSONValue | undefined;
  if (state === undefined || state === null) return undefined;
  if (!isJsonObject(state) || !isJsonObject(state.interrupts)) throw unknownShape();
  return {
    pending: state.pendingToolExecution,
    activated: state.activated === true,
    interrupts: state.interrupts,
  };
}

function copyOf<T>(json: T): T {
  try {
    // A clone takes less nesting than JSON does: what passes here can be loaded again, however deep the stack is by then.
    return structuredClone(JSON.parse(JSON.stringify(json)) as T);
  } catch (cause) {
    throw new TauError('parking', `the calls that wait cannot be kept, so they are dropped: ${errorText(cause)}`, {
      cause,
    });
  }
}

/** Whether the loop has stopped at an interrupt. */
export function isStopped(agent: LocalAgent): boolean {
  return stateOf(agent)?.activated === true;
}

/** Whether an agent has stopped at an interrupt, or holds calls that wait. */
export function isWaiting(agent: LocalAgent): boolean {
  const state = stateOf(agent);
  return state !== undefined && (state.activated || state.pending !== undefined);
}

/** What a checkpoint held that was dropped. */
export interface DroppedCheckpoint {
  readonly waited: boolean;
  /** Id of the model message whose calls waited. */
  readonly batch: string | undefined;
}

/** Leaves the interrupt state, also one of which no copy can be made; the calls that waited are dropped. */
export function dropCheckpoint(agent: Agent): DroppedCheckpoint {
  const waited = isWaiting(agent);
  const batch = pendingBatch(stateOf(agent)?.pending);
  if (waited) clearCheckpoint(agent);
  return { waited, batch };
}

/** Leaves the interrupt state; the calls that waited are dropped. */
export function clearCheckpoint(agent: Agent): void {
  writeInterrupts(agent, { interrupts: {}, activated: false });
}

const WAKE = 'tau-wake';

/**
 * Replaces whatever the checkpoint holds by the given pending calls and one wake-up of tau's own, so that no answer
 * that anybody planted in it is ever found.
 *
 * @param kept - Interrupts of others that stay, because whoever raised them gets its answer in the same step.
 * @returns The input that makes the agent go on; answers to the kept ones are added by the caller.
 */
export function wake(
  agent: Agent,
  pending: JSONValue,
  kept: { readonly [id: string]: JSONValue } = {},
): InterruptResponseContent[] {
  writeInterrupts(agent, {
    interrupts: { ...kept, [WAKE]: { id: WAKE, name: WAKE, source: 'hook' } },
    activated: true,
    pendingToolExecution: pending,
  });
  return [new InterruptResponseContent({ interruptId: WAKE, response: 'wake' })];
}

/** Refuses interrupts that are not tau's own. */
export function refusals(interruptIds: readonly string[]): InterruptResponseContent[] {
  return interruptIds.map(
    (interruptId) => new InterruptResponseContent({ interruptId, response: { tau: 'rejected' } }),
  );
}

/** Id of the model message that pending calls belong to. */
export function pendingBatch(pending: JSONValue | undefined): string | undefined {
  if (!isJsonObject(pending) || !isJsonObject(pending.assistantMessageData)) return undefined;
  const { trackingId } = pending.assistantMessageData;
  return typeof trackingId === 'string' ? trackingId : undefined;
}

function writeInterrupts(agent: Agent, interrupts: JSONValue): void {
  const snapshot = agent.takeSnapshot({ include: ['interrupts'] });
  // The SDK's JSON type is mutable, and it keeps parts of what it gets.
  const data = { interrupts: JSON.parse(JSON.stringify(interrupts)) as (typeof snapshot.data)[string] };
  try {
    agent.loadSnapshot({ ...snapshot, data });
  } catch {
    replaceInterrupts(agent, interrupts);
  }
}

function unknownShape(): ConfigError {
  return new ConfigError(
    'This version of @strands-agents/sdk keeps its interrupts in a way that tau does not know; use >=1.16 <2',
  );
}
