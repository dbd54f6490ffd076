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
import { consoleLogger } from '../../core/platform.ts';
import { vouchFor } from '../../strands/guards.ts';
import { OUTPUT_TOOL } from '../../strands/tier-hook.ts';
import type { Logger } from '../config.ts';
import { type ExemptNames, isExempt } from './parked-batch.ts';
import { isToolName, nameIdentity, shown } from './tool-names.ts';

/** The part of an agent's tool registry that the bridge uses. */
export type StrandsToolRegistry = Pick<LocalAgent['toolRegistry'], 'get' | 'list' | 'add' | 'addOrReplace' | 'remove'>;

const PROXY: unique symbol = Symbol.for('@ag-ui/aws-strands.proxyTool');

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

/** A tool for the agent's registry that stands for one that the client declared. Its calls are answered by the client. */
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
  const tracked = new Set<string>();
  const declared = usableTools(registry, tools, reservedNames, log);
  for (const name of trackedNames) {
    if (declared.has(name) || !isProxyTool(registry.get(name))) continue;
    if (isExempt(exemptNames, name)) tracked.add(name);
    else registry.remove(name);
  }
  for (const [name, tool] of declared) {
    const twin = registry
      .list()
      .find((other) => other.name !== name && nameIdentity(other.name) === nameIdentity(name));
    if (twin !== undefined) {
      log.warn(`Client tool ${shown(name)} looks like ${shown(twin.name)}, which waits for an answer; it is skipped`);
      continue;
    }
    registry.addOrReplace([createProxyTool(tool)]);
    tracked.add(name);
  }
  return tracked;
}

/** The declared tools that may be registered, by name. */
function usableTools(
  registry: StrandsToolRegistry,
  tools: readonly ClientTool[],
  reservedNames: Iterable<string>,
  log: Logger,
): ReadonlyMap<string, ClientTool> {
  const natives = new Map<string, string>();
  for (const tool of registry.list()) if (!isProxyTool(tool)) natives.set(nameIdentity(tool.name), tool.name);
  const reserved = new Map([OUTPUT_TOOL, ...reservedNames].map((name) => [nameIdentity(name), name]));
  const usable = new Map<string, ClientTool>();
  const identities = new Map<string, string>();
  for (const tool of tools) {
    const problem = problemOf(tool, natives, reserved, identities);
    if (problem !== undefined) {
      log.warn(problem);
      continue;
    }
    usable.set(tool.name, tool);
    identities.set(nameIdentity(tool.name), tool.name);
  }
  return usable;
}

type NamesByIdentity = ReadonlyMap<string, string>;

function problemOf(
  tool: ClientTool,
  natives: NamesByIdentity,
  reserved: NamesByIdentity,
  declared: NamesByIdentity,
): string | undefined {
  const name: unknown = tool?.name;
  if (!isToolName(name)) return `Client tool ${shown(name)} has no usable name; it is skipped`;
  const identity = nameIdentity(name);
  const native = natives.get(identity);
  if (native !== undefined)
    return `Native tool ${shown(native)} shadows client-declared tool ${shown(name)}; it is skipped`;
  const kept = reserved.get(identity);
  if (kept !== undefined)
    return `The name of client tool ${shown(name)} belongs to ${shown(kept)} of the server; it is skipped`;
  const first = declared.get(identity);
  return first === undefined
    ? undefined
    : `Client tool ${shown(name)} is declared after ${shown(first)}; it is skipped`;
}

function schemaOf(parameters: unknown): NonNullable<ToolSpec['inputSchema']> {
  const isSchema = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters);
  // The request's schema was checked to be JSON; what it says is for the model and the client.
  return isSchema
    ? (structuredClone(parameters) as NonNullable<ToolSpec['inputSchema']>)
    : { type: 'object', properties: {} };
}
