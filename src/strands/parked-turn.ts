import type { Snapshot } from '@strands-agents/sdk';
import type { ApprovalStore, ParkedTurn } from '../core/approval-store.ts';
import type { Principal } from '../core/call.ts';
import { digestJson } from '../core/digest.ts';
import { TauError } from '../core/errors.ts';
import { isJsonObject, type JSONValue, sealJson } from '../core/json.ts';
import type { LimitName } from './budget.ts';
import { pendingBatch } from './checkpoint.ts';
import type { RunContext } from './run-context.ts';

/** A turn that waits for decisions, as tau itself remembers it. */
export interface ParkedState {
  readonly run: string;
  readonly batch: string;
  readonly principal: Principal | undefined;
  /** The names that were visible when it parked. */
  readonly visible: readonly string[] | undefined;
  readonly spent: Readonly<Record<LimitName, number>>;
  /** Ids of the questions it waits for. */
  readonly open: readonly string[];
  /** Agents used as tools that wait too, by the position of their call. */
  readonly waiting: Readonly<Record<string, Snapshot>>;
  /** The calls to dispatch again: tau's copy, whatever the session file says. */
  readonly pending: JSONValue;
}

/**
 * Keeps a parked turn in the store, replacing an earlier one. What is dispatched again is kept as text: a store takes
 * plain JSON only, and beside the calls that are decided about, which are, stands what models and tools said.
 */
export async function saveParkedTurn(context: RunContext, pending: JSONValue): Promise<void> {
  const batch = pendingBatch(pending);
  if (batch === undefined) throw new TauError('parking', 'the agent stopped without pending tool calls');
  const state: { [key: string]: JSONValue } = {
    batch,
    principal: context.principal === undefined ? null : (sealJson({ ...context.principal }) satisfies JSONValue),
    visible: context.visible === undefined ? null : [...context.visible],
    spent: { ...context.budget.spent },
    open: [...context.parked],
    waiting: JSON.stringify(Object.fromEntries(context.waiting)),
    pending: JSON.stringify(pending),
  };
  const sealed = sealJson({ ...state, digest: digestJson(state) });
  await context.gate.store.park({
    conversation: context.conversation,
    run: context.run,
    at: context.gate.clock.now(),
    state: sealed,
  });
}

/**
 * The parked turn of a conversation; `undefined` when there is none that could go on. One that is not what was stored
 * never can, see `isDamaged`.
 */
export async function loadParkedTurn(store: ApprovalStore, conversation: string): Promise<ParkedState | undefined> {
  const turn = await store.parked(conversation);
  return turn === undefined ? undefined : decode(turn);
}

/** Whether a parked turn is not what was stored. */
export function isDamaged(turn: ParkedTurn): boolean {
  return decode(turn) === undefined;
}

function decode({ run, state }: ParkedTurn): ParkedState | undefined {
  if (!isJsonObject(state)) return undefined;
  const { digest, ...rest } = state;
  const { batch, principal, visible, spent, open, waiting, pending } = rest;
  if (digest !== digestJson(rest) || typeof batch !== 'string') return undefined;
  if (typeof pending !== 'string' || typeof waiting !== 'string') return undefined;
  // The digest has shown that this is what `saveParkedTurn` wrote.
  return {
    run,
    batch,
    principal: principal === null ? undefined : (principal as unknown as Principal),
    visible: visible === null ? undefined : (visible as readonly string[]),
    spent: spent as unknown as Readonly<Record<LimitName, number>>,
    open: open as readonly string[],
    waiting: JSON.parse(waiting) as Readonly<Record<string, Snapshot>>,
    pending: JSON.parse(pending) as JSONValue,
  };
}
