import type { Tool as ClientTool } from '@ag-ui/core';
import {
  type LocalAgent,
  TextBlock,
  Tool,
  type ToolContext,
  ToolResultBlock,
  type ToolSpec,
  type ToolStreamGenerator,
} from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import { sealJson } from '../../core/json.ts';
import { consoleLogger } from '../../core/platform.ts';
import { vouchFor } from '../../strands/guards.ts';
import { OUTPUT_TOOL } from '../../strands/sdk-internals.ts';
import type { Logger } from '../config.ts';
import { type ExemptNames, isExempt } from './parked-batch.ts';
import { isToolName, nameIdentity, shown } from './tool-names.ts';

/** The part of an agent's tool registry that the bridge uses. */
export type StrandsToolRegistry = Pick<LocalAgent['toolRegistry'], 'get' | 'list' | 'add' | 'addOrReplace' | 'remove'>;

const PROXY: unique symbol = Symbol.for('@ag-ui/aws-strands.proxyTool');

/** More than any model takes; each costs time at every step of the run. */
const MAX_CLIENT_TOOLS = 1000;

const NOBODY: ReadonlySet<string> = new Set();

/** A tool that the client runs. On the server it does nothing, so it passes without a tier. */
class ProxyTool extends Tool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: ToolSpec;
  readonly [PROXY] = true;

  constructor(name: string, description: string, inputSchema: NonNullable<ToolSpec['inputSchema']>) {
    super();
    this.name = name;
    this.description = description;
    this.toolSpec = Object.freeze({ name, description, inputSchema });
    Object.freeze(this);
    vouchFor(this);
  }

  // biome-ignore lint/correctness/useYield: There is no progress to tell of.
  async *stream({ toolUse }: ToolContext): ToolStreamGenerator {
    return new ToolResultBlock({
      toolUseId: toolUse.toolUseId,
      status: 'success',
      content: [new TextBlock('Forwarded to client')],
    });
  }
}
Object.freeze(ProxyTool.prototype);

/**
 * A tool for the agent's registry that stands for one that the client declared. Its calls are answered by the client.
 *
 * @throws TauError when the parameters are not plain JSON.
 */
export function createProxyTool(tool: ClientTool): Tool {
  const { name, description } = tool;
  const text = typeof description === 'string' && description.trim() !== '' ? description : `Client-side tool: ${name}`;
  return new ProxyTool(name, text, schemaOf(tool.parameters));
}

/** Whether a tool stands for one of the client's. */
export function isProxyTool(tool: unknown): boolean {
  return typeof tool === 'object' && tool !== null && PROXY in tool && tool[PROXY] === true;
}

/** What a proxy sync must leave alone. */
export interface ProxySyncOptions {
  /** Proxies with these names stay although the client no longer declares them: parked calls go through them. */
  readonly exemptNames?: ExemptNames;
  /** Names of the server's own that no client tool may take, registered or not; neither may look-alikes of them. */
  readonly reservedNames?: Iterable<string>;
}

/**
 * Makes the proxies in a registry those of the tools that the client declares now. A tool of the server keeps its name,
 * and a declaration that cannot be used is skipped with a warning.
 *
 * @param trackedNames - What the last call returned; of these, proxies that are no longer declared are removed.
 * @returns Names of the proxies that are registered now.
 */
export function syncProxyTools(
  registry: StrandsToolRegistry,
  tools: readonly ClientTool[],
  trackedNames: Iterable<string>,
  log: Logger = consoleLogger,
  options: ProxySyncOptions = {},
): Set<string> {
  const { exemptNames = NOBODY, reservedNames = [] } = options;
  const proxies = proxiesByName(registry, tools, reservedNames, log);
  const tracked = new Set<string>();
  for (const name of trackedNames) {
    if (proxies.has(name) || !isProxyTool(registry.get(name))) continue;
    if (isExempt(exemptNames, name)) tracked.add(name);
    else registry.remove(name);
  }
  const waiting = new Map(registry.list().map(({ name }) => [nameIdentity(name), name]));
  for (const [name, proxy] of proxies) {
    const twin = waiting.get(nameIdentity(name)) ?? name;
    if (twin === name) {
      registry.addOrReplace([proxy]);
      tracked.add(name);
    } else {
      log.warn(`Client tool ${shown(name)} looks like ${shown(twin)}, which waits for an answer; it is skipped`);
    }
  }
  return tracked;
}

/** Proxies of the declared tools that may be registered. */
function proxiesByName(
  registry: StrandsToolRegistry,
  tools: readonly ClientTool[],
  reservedNames: Iterable<string>,
  log: Logger,
): ReadonlyMap<string, Tool> {
  const natives = new Map<string, string>();
  for (const tool of registry.list()) if (!isProxyTool(tool)) natives.set(nameIdentity(tool.name), tool.name);
  const reserved = new Map([OUTPUT_TOOL, ...reservedNames].map((name) => [nameIdentity(name), name]));
  const proxies = new Map<string, Tool>();
  const identities = new Map<string, string>();
  for (const tool of tools.slice(0, MAX_CLIENT_TOOLS)) {
    const problem = problemOf(tool, natives, reserved, identities);
    const proxy = problem === undefined ? proxyOrProblem(tool) : problem;
    if (typeof proxy === 'string') {
      log.warn(`${proxy}; it is skipped`);
      continue;
    }
    proxies.set(proxy.name, proxy);
    identities.set(nameIdentity(proxy.name), proxy.name);
  }
  if (tools.length > MAX_CLIENT_TOOLS) {
    log.warn(`The client declares ${tools.length} tools; those after the first ${MAX_CLIENT_TOOLS} are skipped`);
  }
  return proxies;
}

function proxyOrProblem(tool: ClientTool): Tool | string {
  try {
    return createProxyTool(tool);
  } catch (error) {
    return `Client tool ${shown(tool.name)} cannot be used: ${errorText(error)}`;
  }
}

type NamesByIdentity = ReadonlyMap<string, string>;

function problemOf(
  tool: ClientTool,
  natives: NamesByIdentity,
  reserved: NamesByIdentity,
  declared: NamesByIdentity,
): string | undefined {
  const name: unknown = tool?.name;
  if (!isToolName(name)) return `Client tool ${shown(name)} has no usable name`;
  const identity = nameIdentity(name);
  const native = natives.get(identity);
  if (native !== undefined) return `Native tool ${shown(native)} shadows client-declared tool ${shown(name)}`;
  const kept = reserved.get(identity);
  if (kept !== undefined) return `The name of client tool ${shown(name)} belongs to ${shown(kept)} of the server`;
  const first = declared.get(identity);
  return first === undefined ? undefined : `Client tool ${shown(name)} is declared after ${shown(first)}`;
}

function schemaOf(parameters: unknown): NonNullable<ToolSpec['inputSchema']> {
  const isSchema = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  // A schema made in code may hold `undefined`, which JSON leaves out.
  const schema = sealJson(JSON.parse(JSON.stringify(isSchema ? parameters : { type: 'object', properties: {} })));
  // The SDK types its schemas as mutable; this one is frozen and must stay so.
  return schema as NonNullable<ToolSpec['inputSchema']>;
}
