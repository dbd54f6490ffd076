/**
 * The SDK's interrupt checkpoint, read and written through its public snapshots. The shape inside is not documented;
 * it is known to this file only, and what does not have it is a ConfigError.
 */
import { type Agent, InterruptResponseContent, type LocalAgent } from '@strands-agents/sdk';
import { ConfigError } from '../core/errors.ts';
import { isJsonObject, type JSONValue, sealJson } from '../core/json.ts';
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

/** Reads the checkpoint of an agent. */
export function readCheckpoint(agent: Agent): Checkpoint {
  if (isSurelyIdle(agent)) return IDLE;
  const { data } = agent.takeSnapshot({ include: ['interrupts'] });
  const interrupts = sealJson(JSON.parse(JSON.stringify(data.interrupts ?? null)));
  if (interrupts === null) return { pending: undefined, activated: false, names: [], interrupts: {} };
  if (!isJsonObject(interrupts) || !isJsonObject(interrupts.interrupts)) throw unknownShape();
  return {
    pending: interrupts.pendingToolExecution,
    activated: interrupts.activated === true,
    interrupts: interrupts.interrupts,
    names: Object.values(interrupts.interrupts).flatMap((interrupt) =>
      isJsonObject(interrupt) && typeof interrupt.name === 'string' ? [interrupt.name] : [],
    ),
  };
}

const IDLE: Checkpoint = Object.freeze({ pending: undefined, activated: false, names: [], interrupts: {} });

/** Whether the loop has stopped at an interrupt. */
export function isStopped(agent: LocalAgent): boolean {
  if (isSurelyIdle(agent)) return false;
  const { interrupts } = agent.takeSnapshot({ include: ['interrupts'] }).data;
  return (
    typeof interrupts === 'object' && interrupts !== null && 'activated' in interrupts && interrupts.activated === true
  );
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
  // The SDK's JSON type is mutable; it takes what it gets apart and keeps none of it.
  const data = { interrupts: structuredClone(interrupts) as (typeof snapshot.data)[string] };
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
