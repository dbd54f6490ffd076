import type { Agent, Tool } from '@strands-agents/sdk';
import { isWaiting } from '../../strands/checkpoint.ts';
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

  /** Whether dropping the agent from memory would lose an answer that somebody still owes it. */
  mustStay(): boolean {
    return !this.durable && isWaiting(this.agent);
  }
}
