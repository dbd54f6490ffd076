import type { Agent, Tool } from '@strands-agents/sdk';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import type { TauAgentParts } from '../../strands/tau-agent-parts.ts';

/** The agent of one thread, with what the bridge keeps beside it. */
export class ThreadAgent {
  readonly agent: Agent;
  /** What a guarded agent is made of; `undefined` for a plain one. */
  readonly guarded: TauAgentParts | undefined;
  /** The tools that the template contributes, whether this request may see them or not. */
  readonly templateTools: readonly Tool[];
  /** Whether a session manager could bring the thread back. */
  readonly durable: boolean;
  /** Names of the client tools that are registered now. */
  proxyNames: Set<string> = new Set();
  /** Names of tools that one-run producers registered. */
  producedNames: Set<string> = new Set();

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

  /** Whether dropping the agent from memory would lose an answer that somebody still owes it. */
  mustStay(): boolean {
    return !this.durable && readCheckpoint(this.agent).pending !== undefined;
  }
}
