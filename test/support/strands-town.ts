import type { ApprovalRecord, ApprovalStore, DecideResult } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import type { TurnEvent } from 'strands-tau/strands';
import { ManualClock, type ScriptedAnswer, type ScriptedTurn } from 'strands-tau/testing';
import { expect } from 'vitest';
import { collect, endOf, type House, house, type World, type WorldOptions, world } from './strands.ts';
import { SessionDisk } from './strands-parts.ts';

const PARKED = { parked: true } as const;
const ANN = { id: 'ann', kind: 'person' } as const;

/** A place where processes come and go: one disk, one store, one house, one clock. */
export class Town {
  readonly disk: SessionDisk = new SessionDisk();
  readonly store: ApprovalStore = new MemoryApprovalStore();
  readonly clock: ManualClock = new ManualClock();
  readonly house: House = house();

  /** A new process on the same session. */
  process(
    turns: Parameters<typeof world>[0],
    answers: readonly ScriptedAnswer[] = [],
    options: WorldOptions = {},
  ): ReturnType<typeof world> {
    const { store, clock } = this;
    const { tools = this.house.tools } = options;
    const sessionManager = this.disk.session();
    return world(turns, answers, { house: this.house, ...options, tools, store, clock, sessionManager });
  }

  /** Parks a turn in a process that then is gone; returns the ids of its questions. */
  async park(
    turn: ScriptedTurn,
    answers: readonly ScriptedAnswer[] = [PARKED, PARKED],
    options: WorldOptions = {},
  ): Promise<{ w: World; ids: readonly string[] }> {
    const w = await this.process([turn], answers, options);
    const end = endOf(await w.turn('go', { principal: ANN }));
    expect(end.reason).toBe('parked');
    return { w, ids: end.approvalIds ?? [] };
  }

  async statuses(): Promise<readonly ApprovalRecord['status'][]> {
    return (await this.store.list({ limit: 1000 })).records.map(({ status }) => status);
  }
}

export function decide(w: World, id: string | undefined, decision: 'approved' | 'rejected'): Promise<DecideResult> {
  return w.tau.gate.decide(id ?? '', { decision, by: ANN, channel: 'test' });
}

export function resume(w: World): Promise<TurnEvent[]> {
  return collect(w.tau.resume());
}
