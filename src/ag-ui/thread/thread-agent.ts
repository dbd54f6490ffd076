import type { Agent, Tool } from '@strands-agents/sdk';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import { isWaiting, readCheckpoint } from '../../strands/checkpoint.ts';
import { PARK_PREFIX } from '../../strands/parking.ts';
import type { TauAgentParts } from '../../strands/tau-agent-parts.ts';
import type { KnownCall } from '../request/known-calls.ts';

/** The agent of one thread, with what the bridge keeps beside it. */
export class ThreadAgent {
  readonly agent: Agent;
  /** What a guarded agent is made of; `undefined` for a plain one. */
  readonly guarded: TauAgentParts | undefined;
  /** The tools that the template contributes, whether this request may see them or not. */
  readonly templateTools: readonly Tool[];
  /** Whether a session manager could bring the thread back. */
  readonly durable: boolean;
  /** The calls that runs of this server made, by id; what they answered wins over a client's copy. */
  readonly known: Map<string, KnownCall> = new Map();
  #replayed: ReadonlySet<string> = new Set();

  constructor(parts: {
    agent: Agent;
    guarded: TauAgentParts | undefined;
    templateTools: readonly Tool[];
    durable: boolean;
  }) {
    this.agent = parts.agent;
    this.guarded = parts.guarded;
    this.templateTools = parts.templateTools;
    this.durable = parts.durable;
  }

  /** Ids of messages that came from a client: its word, not this server's. */
  get replayed(): ReadonlySet<string> {
    return this.#replayed;
  }

  /** Notes that the whole history, as it is now, came from a client. */
  markReplayed(): void {
    this.#replayed = new Set(this.agent.messages.map(({ trackingId }) => trackingId));
  }

  /** Whether the agent waits for an answer and there is nothing that it could be restored from. */
  mustStay(): boolean {
    return !this.durable && isWaiting(this.agent);
  }

  /**
   * Whether what it waits for can still be answered, or was and has to go on. Once all its questions are over, all that can
   * be done is to tell its model so, for which the store's copy of the calls is enough.
   *
   * @param conversation - Its name in the approval store.
   */
  async isOwed(conversation: string): Promise<boolean> {
    const { agent, guarded } = this;
    if (guarded === undefined || readCheckpoint(agent).names.some((name) => !name.startsWith(PARK_PREFIX))) return true;
    const { store, clock } = guarded.gate;
    const approved = await store.list({ conversation, status: 'approved', limit: 1 });
    const { records: pending, nextCursor } = await store.list({ conversation, status: 'pending', limit: 1000 });
    const now = clock.now();
    const isOpen = ({ expiresAt = Number.POSITIVE_INFINITY }: ApprovalRecord): boolean => now < expiresAt;
    return approved.records.length > 0 || nextCursor !== undefined || pending.some(isOpen);
  }
}
