import type { LocalAgent, Tool } from '@strands-agents/sdk';
import type { CatalogEntry } from '../core/catalog.ts';
import { canonicalJson } from '../core/digest.ts';
import { ConfigError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { type JSONSchema, sealJson } from '../core/json.ts';
import { registerEntry } from './binding.ts';
import type { LateGuardOptions } from './build-options.ts';
import { type GuardedMcpTool, guardMcpTool, reportLeftOut } from './guard-mcp-tool.ts';
import type { McpFollower } from './mcp-feed.ts';
import { WeakList } from './weak-list.ts';

/** Tiers by name, from the application; a tool that is not named here is never offered. */
export type LateGuards = ReadonlyMap<string, LateGuardOptions>;

/** What one agent is served. */
export interface Served {
  readonly tiers: LateGuards;
  readonly servers: readonly McpTools[];
}

/** One tool as its server offers it now. */
interface Offered {
  readonly tool: Tool;
  /** What of it is part of its definition. */
  readonly text: string;
  /** Guarded, by what `guard` says of it; agents that are built from the same options share one. */
  readonly guarded: WeakMap<LateGuardOptions, GuardedMcpTool>;
}

/**
 * The tools of one MCP server under one gate. When the server changes or withdraws one, its catalog entry goes, and with
 * it every approval; then all agents get what is offered now. What cannot be offered is left out, with an `error` event.
 */
export class McpTools implements McpFollower {
  readonly #gate: TierGate;
  readonly #source: string;
  readonly #agents = new WeakList<LocalAgent>();
  readonly #served = new WeakMap<LocalAgent, Served>();
  readonly #told = new WeakSet<Offered>();
  #offered: ReadonlyMap<string, Offered> = new Map();

  /** @param source - Whose the tools are, in catalog entries; see `mcpSources`. */
  constructor(gate: TierGate, source: string) {
    this.#gate = gate;
    this.#source = source;
  }

  take(tools: readonly Tool[]): void {
    const before = this.#offered;
    const now = new Map(tools.map((tool) => [tool.name, asOffered(tool, before.get(tool.name))]));
    this.#offered = now;
    for (const name of new Set([...before.keys(), ...now.keys()])) this.#withdraw(name, now.get(name)?.text);
    const changed = now.size !== before.size || [...now].some(([name, offered]) => before.get(name) !== offered);
    for (const agent of changed ? this.#agents.living() : []) {
      this.refresh(agent);
      this.#offerTo(agent);
    }
  }

  /** Gives an agent the tools, now and whenever they change. */
  serve(agent: LocalAgent, served: Served): void {
    this.#agents.add(agent);
    this.#served.set(agent, served);
    this.#offerTo(agent);
  }

  /** Takes what is not offered any more out of an agent's registry, and puts what it is now in its place. */
  refresh(agent: LocalAgent): void {
    for (const tool of agent.toolRegistry.list()) {
      if (makers.get(tool) !== this) continue;
      const options = this.#served.get(agent)?.tiers.get(tool.name);
      const now = options === undefined ? undefined : this.#offered.get(tool.name)?.guarded.get(options)?.tool;
      if (now === undefined) agent.toolRegistry.remove(tool.name);
      else if (now !== tool) agent.toolRegistry.addOrReplace([now]);
    }
  }

  /** Withdraws a tool whose definition is not this one any more. */
  #withdraw(name: string, text: string | undefined): void {
    const entry = this.#gate.catalog.get(name);
    if (entry?.source === this.#source && textOf(entry) !== text) this.#gate.catalog.withdraw(name);
  }

  #offerTo(agent: LocalAgent): void {
    const served = this.#served.get(agent);
    if (served === undefined) return;
    for (const [name, offered] of this.#offered) {
      const options = served.tiers.get(name);
      if (options === undefined) {
        this.#once(offered, () => this.#gate.warn(unnamedText(name)));
        continue;
      }
      try {
        if (options.client === undefined) this.#refuseContested(name, served);
        const tool = this.#guarded(offered, options);
        if (agent.toolRegistry.get(name) !== tool) agent.toolRegistry.add(tool);
      } catch (error) {
        this.#once(offered, () => reportLeftOut(this.#gate, name, error));
      }
    }
  }

  /** Of two servers that bring one name, nobody knows which is meant, unless one had it before. */
  #refuseContested(name: string, { servers }: Served): void {
    if (this.#gate.catalog.belongsTo(name, this.#source)) return;
    if (servers.filter((server) => server.#offered.has(name)).length > 1) {
      throw new ConfigError(
        `Two MCP servers offer '${name}'; say in \`guard\` which client is meant, or give prefixes`,
      );
    }
  }

  #guarded(offered: Offered, options: LateGuardOptions): Tool {
    const guarded = offered.guarded.get(options) ?? guardMcpTool(offered.tool, options, this.#gate, this.#source);
    registerEntry(guarded.entry, this.#gate);
    offered.guarded.set(options, guarded);
    makers.set(guarded.tool, this);
    return guarded.tool;
  }

  /** Told once for a tool, not for each agent. */
  #once(offered: Offered, tell: () => void): void {
    if (this.#told.has(offered)) return;
    this.#told.add(offered);
    tell();
  }
}

/** Whose tools guarded tools are. */
const makers = new WeakMap<Tool, McpTools>();

/** The same object for what is the same as before. */
function asOffered(tool: Tool, before: Offered | undefined): Offered {
  const text = textOf({ description: tool.description, inputSchema: schemaOf(tool) });
  return before?.text === text ? before : { tool, text, guarded: new WeakMap() };
}

function schemaOf({ toolSpec }: Tool): JSONSchema {
  return (toolSpec.inputSchema ?? { type: 'object' }) as JSONSchema;
}

/** What a server says of a tool, as text; empty where it is not JSON, and the tool then not guardable either. */
function textOf({ description, inputSchema }: Pick<CatalogEntry, 'description' | 'inputSchema'>): string {
  try {
    return canonicalJson(sealJson({ description: description ?? null, inputSchema }));
  } catch {
    return '';
  }
}

function unnamedText(name: string): string {
  return `Tool '${name}' of an MCP server has no tier; it is not offered and will not run. Name it in \`guard\`: { ${name}: { tier, effect } }`;
}
