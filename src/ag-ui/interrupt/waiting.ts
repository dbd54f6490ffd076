import { allRecords } from '../../core/all-records.ts';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { ApprovalStore } from '../../core/approval-store.ts';
import { isJsonObject, type JSONValue } from '../../core/json.ts';
import { pendingBatch, readCheckpoint } from '../../strands/checkpoint.ts';
import { loadParkedTurn } from '../../strands/parked-turn.ts';
import { PARK_PREFIX } from '../../strands/parking.ts';
import { closeRun, resumeRun } from '../../strands/run.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { readBookkeeping } from './bookkeeping.ts';

/** An interrupt that a hook or tool of the developer raised. */
export interface NativeQuestion {
  readonly name: string;
  readonly reason: JSONValue;
  /** The answer that is recorded; `undefined` while there is none. `null`, `false` and `''` are answers. */
  readonly response: JSONValue | undefined;
}

/** What a thread waits for. */
export interface Waiting {
  /** Whether calls are parked behind tau approvals. */
  readonly parked: boolean;
  /** Open approvals by id. */
  readonly approvals: ReadonlyMap<string, ApprovalRecord>;
  /** Native interrupts without an answer, by id. */
  readonly natives: ReadonlyMap<string, NativeQuestion>;
  /** Native interrupts that were answered, in calls that have not gone on yet. */
  readonly answered: ReadonlyMap<string, NativeQuestion>;
  /** Ids of what the client was shown when the thread stopped. */
  readonly published: ReadonlySet<string>;
  /** Ids of approvals that the client was asked and that the store has lost. */
  readonly lost: ReadonlySet<string>;
}

/** Finds out what a thread waits for. */
export async function whatWaits(thread: ThreadAgent, conversation: string): Promise<Waiting> {
  const published = new Set(readBookkeeping(thread.agent).pendingInterrupts.map(({ id }) => id));
  const { natives, answered } = nativesOf(thread, published);
  const none = { parked: false, approvals: new Map<string, ApprovalRecord>(), lost: new Set<string>() };
  if (thread.guarded === undefined) return { ...none, natives, answered, published };
  const { store } = thread.guarded.gate;
  const parked = await isParked(thread, conversation);
  const approvals = parked ? await openApprovals(store, conversation) : none.approvals;
  return { parked, approvals, natives, answered, published, lost: await lostApprovals(thread, store, natives) };
}

/** A turn that went on to its end and died before it could say so waits for nothing any more. */
async function isParked({ agent, guarded }: ThreadAgent, conversation: string): Promise<boolean> {
  if (guarded === undefined) return false;
  const turn = await loadParkedTurn(guarded.gate.store, conversation);
  if (turn === undefined) return false;
  const batch = pendingBatch(turn.pending);
  const over = agent.messages.at(-1)?.role === 'assistant' && agent.messages.some((m) => m.trackingId === batch);
  if (!over) return true;
  const left = await resumeRun(guarded, conversation);
  if (left !== undefined) await closeRun(agent, left, guarded.language);
  return false;
}

async function openApprovals(store: ApprovalStore, conversation: string): Promise<Map<string, ApprovalRecord>> {
  const open = await allRecords(store, { conversation, status: 'pending' });
  return new Map(open.map((record) => [record.id, record]));
}

/** A store that forgets, as one in memory does at a restart, leaves the client with questions that nobody knows. */
async function lostApprovals(
  { agent }: ThreadAgent,
  store: ApprovalStore,
  natives: Waiting['natives'],
): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const { id, metadata } of readBookkeeping(agent).pendingInterrupts) {
    const isApproval = isJsonObject(metadata as JSONValue | undefined) && metadata !== undefined && 'tau' in metadata;
    if (isApproval && !natives.has(id) && (await store.get(id)) === undefined) lost.add(id);
  }
  return lost;
}

function nativesOf(
  { agent, guarded }: ThreadAgent,
  published: Waiting['published'],
): Pick<Waiting, 'natives' | 'answered'> {
  const natives = new Map<string, NativeQuestion>();
  const answered = new Map<string, NativeQuestion>();
  const { interrupts, activated } = readCheckpoint(agent);
  if (!activated) return { natives, answered };
  for (const [id, value] of Object.entries(interrupts)) {
    if (!isJsonObject(value) || typeof value.name !== 'string') continue;
    const { name, reason = null, response } = value;
    // One that only looks like tau's own was published, which tau's own never is.
    if (guarded !== undefined && name.startsWith(PARK_PREFIX) && !published.has(id)) continue;
    if (response === undefined) natives.set(id, { name, reason, response });
    else answered.set(id, { name, reason, response });
  }
  return { natives, answered };
}
