import type { McpClient, Tool } from '@strands-agents/sdk';
import { WeakList } from './weak-list.ts';

/** Somebody who goes by what an MCP server offers. */
export interface McpFollower {
  /** Takes what the server offers now, all of it. Must not throw. */
  take(tools: readonly Tool[]): void;
}

/**
 * What an MCP server offers, for everybody who goes by it: the SDK tells one listener of a client, and an SDK agent that
 * has the client makes itself that one.
 */
export class McpFeed {
  readonly #client: McpClient;
  readonly #followers = new WeakList<McpFollower>();
  #newest: readonly Tool[] = [];
  #asked = 0;
  #told = 0;

  constructor(client: McpClient) {
    this.#client = client;
  }

  /**
   * Asks the server, which need not announce what it changes.
   *
   * @throws whatever the SDK throws when the server cannot be reached.
   */
  async ask(): Promise<void> {
    this.#client.onToolsChanged = (_before, tools) => this.#tell(++this.#asked, tools);
    const asked = ++this.#asked;
    const tools = await this.#client.listTools();
    // A server that is away (`continueOnError`) has withdrawn nothing.
    if (this.#client.connectionState !== 'failed') this.#tell(asked, tools);
  }

  /** Tells somebody of what is offered now, and of every change as long as they are there. */
  follow(follower: McpFollower): void {
    this.#followers.add(follower);
    follower.take(this.#newest);
  }

  /** A list that was asked for before a newer one came is old. */
  #tell(asked: number, tools: readonly Tool[]): void {
    if (asked < this.#told) return;
    this.#told = asked;
    this.#newest = tools;
    for (const follower of this.#followers.living()) follower.take(tools);
  }
}

const feeds = new WeakMap<McpClient, McpFeed>();

/** The feed of a client; there is one. */
export function mcpFeedOf(client: McpClient): McpFeed {
  const feed = feeds.get(client) ?? new McpFeed(client);
  feeds.set(client, feed);
  return feed;
}
