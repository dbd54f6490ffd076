import type { Interrupt } from '@ag-ui/core';
import type { Agent } from '@strands-agents/sdk';
import { isJsonObject, type JSONValue } from '../../core/json.ts';

const KEY = 'ag_ui_interrupt_bookkeeping';

/** What the bridge remembers of a thread between two requests; kept in the agent's app state, so sessions carry it. */
export interface Bookkeeping {
  /** Fingerprint of the last resume that finished. */
  readonly lastResumeFingerprint: string | undefined;
  /** What was published and not answered yet. */
  readonly pendingInterrupts: readonly Interrupt[];
  /** Names that were visible when the batch parked; `undefined` means all. */
  readonly visible: readonly string[] | undefined;
  /** Names of the client's tools when the batch parked. */
  readonly clientTools: readonly string[];
}

const EMPTY: Bookkeeping = {
  lastResumeFingerprint: undefined,
  pendingInterrupts: [],
  visible: undefined,
  clientTools: [],
};

/** Reads the bookkeeping of a thread; a shape that is not ours counts as none. */
export function readBookkeeping(agent: Agent): Bookkeeping {
  const stored = agent.appState.get(KEY) as JSONValue | undefined;
  if (!isJsonObject(stored)) return EMPTY;
  const { lastResumeFingerprint: fingerprint, pendingInterrupts, visible, clientTools } = stored;
  const pending = Array.isArray(pendingInterrupts) ? pendingInterrupts.filter(isInterrupt) : [];
  const names = Array.isArray(visible) ? visible.filter((name) => typeof name === 'string') : undefined;
  return {
    lastResumeFingerprint: typeof fingerprint === 'string' ? fingerprint : undefined,
    pendingInterrupts: pending as unknown as readonly Interrupt[],
    visible: names,
    clientTools: Array.isArray(clientTools) ? clientTools.filter((name) => typeof name === 'string') : [],
  };
}

/** Writes the bookkeeping of a thread. */
export function writeBookkeeping(agent: Agent, changes: Partial<Bookkeeping>): void {
  const { lastResumeFingerprint, pendingInterrupts, visible, clientTools } = { ...readBookkeeping(agent), ...changes };
  const value = {
    ...(lastResumeFingerprint === undefined ? {} : { lastResumeFingerprint }),
    pendingInterrupts,
    ...(visible === undefined ? {} : { visible: [...visible] }),
    ...(clientTools.length === 0 ? {} : { clientTools: [...clientTools] }),
  };
  agent.appState.set(KEY, JSON.parse(JSON.stringify(value)));
}

function isInterrupt(value: JSONValue): boolean {
  return isJsonObject(value) && typeof value.id === 'string' && typeof value.reason === 'string';
}
