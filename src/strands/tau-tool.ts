import {
  type FunctionToolCallback,
  tool as sdkTool,
  Tool,
  type ToolContext,
  type ToolSpec,
  ZodTool,
} from '@strands-agents/sdk';
import type { z } from 'zod';
import { type CatalogEntry, ToolCatalog } from '../core/catalog.ts';
import { ConfigError, errorText } from '../core/errors.ts';
import { type JSONSchema, type JSONValue, sealJson } from '../core/json.ts';
import type { Tier } from '../core/tier.ts';
import { makeGuardedTool } from './guarded-tool.ts';
import { type Guard, guardOf } from './guards.ts';
import { type InputSchema, inputParser, isZodSchema } from './input-parser.ts';
import { agentBehind, startOf, zodToolParts } from './sdk-internals.ts';

/** What every guarded tool states. */
export interface GuardOptions {
  /** 0 reads, 1 writes data, 2 acts on the world or runs code and needs a person's yes. */
  readonly tier: Tier;
  /** One line that says what a call does, in the author's words; shown with every question. Default: the description. */
  readonly effect?: string | ((args: JSONValue) => string);
  /** Change it when the behaviour changes, so that older approvals no longer fit. */
  readonly version?: string;
}

/** What the effect and the body of a tool get: what its Zod schema gives, or any JSON that its JSON Schema accepts. */
export type TauToolInput<Schema extends InputSchema> = Schema extends z.ZodType ? z.output<Schema> : JSONValue;

/** The body of a tool: gets the frozen, parsed arguments; plain value, promise, or async generator of progress. */
export type TauToolCallback<Input> = (input: Input, context: ToolContext) => unknown;

/** A tool with its tier; the options of `tauTool`. */
export interface TauToolOptions<Schema extends InputSchema> extends Omit<GuardOptions, 'effect'> {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly description: string;
  /** Zod, or JSON Schema. Zod's defaults and coercions are applied before anybody is asked; JSON Schema only validates. */
  readonly inputSchema: Schema;
  /** One line that says what a call does, in the author's words; shown with every question. Default: the description. */
  readonly effect?: string | ((args: TauToolInput<Schema>) => string);
  readonly callback: TauToolCallback<TauToolInput<Schema>>;
}

/**
 * Makes a Strands tool that is guarded by a gate. Hand it to `buildAgent`, which binds it; until then it refuses to run.
 *
 * @throws ConfigError when the name, tier, effect or schema is not usable.
 * @example
 * ```ts
 * const unlock = tauTool({
 *   name: 'unlock_door',
 *   description: 'Unlocks a door of the house.',
 *   inputSchema: z.object({ door: z.enum(['front', 'back']) }),
 *   tier: Tier.Physical,
 *   effect: 'Unlocks a door; anybody can come in',
 *   callback: ({ door }) => locks.open(door),
 * });
 * ```
 */
export function tauTool<const Schema extends InputSchema>(options: TauToolOptions<Schema>): Tool {
  const { name, description, inputSchema, callback } = options;
  if (typeof callback !== 'function') throw new ConfigError(`Tool '${name}' has no callback`);
  // The guard hands the body what the schema gives, and nothing else can call it.
  const body = ((input: never, context: ToolContext) => callback(input, context)) as FunctionToolCallback;
  const inner = sdkTool({ name, description, inputSchema: sdkSchema(name, inputSchema), callback: body });
  // The effect is given what the schema gives, too.
  return guardWith(inner, inner, inputSchema, options as GuardOptions);
}

/**
 * Guards a tool that somebody else made: the SDK's `tool()` and vended tools, an MCP tool, an agent as a tool. Use only
 * what is returned; a reference to the tool itself would still run it unguarded.
 *
 * @throws ConfigError when the tool is guarded already, comes from another copy of the SDK, or hides its schema.
 */
export function guardTool(tool: Tool, options: GuardOptions): Tool {
  if (!(tool instanceof Tool)) {
    throw new ConfigError(
      `${describe(tool)} is not a Strands tool of this copy of @strands-agents/sdk; check 'npm ls @strands-agents/sdk'`,
    );
  }
  if (guardOf(tool) !== undefined) throw new ConfigError(`Tool '${tool.name}' is guarded already`);
  if ('delegate' in tool && tool.delegate === true) {
    throw new ConfigError(
      `Tool '${tool.name}' delegates the turn, which a guarded tool cannot; use asTool() without delegate`,
    );
  }
  const parts = zodToolParts(tool);
  const schema = parts?.schema ?? (tool.toolSpec.inputSchema as JSONSchema | undefined) ?? { type: 'object' };
  return guardWith(withoutParsing(tool) ?? tool, tool, schema, options);
}

/** The tier that tau knows for a tool; `undefined` when tau did not make it, whatever its annotations say. */
export function tierOf(tool: Tool): Tier | undefined {
  return guardOf(tool)?.entry.tier;
}

/** The effect that tau knows for a tool; a computed one needs the arguments of a call. */
export function effectOf(tool: Tool, args?: JSONValue): string | undefined {
  const effect = guardOf(tool)?.entry.effect;
  if (typeof effect !== 'function') return effect;
  return args === undefined ? undefined : effect(sealJson(args));
}

function guardWith(inner: Tool, spec: Tool, schema: InputSchema, options: GuardOptions): Tool {
  const entry = checkedEntry(spec, schema, options);
  const agent = agentBehind(spec);
  const guard: Guard = {
    entry,
    inner,
    kind: agent === undefined ? 'leaf' : 'agent',
    start: agent === undefined ? undefined : startOf(spec),
    gate: undefined,
  };
  return makeGuardedTool(guard);
}

function checkedEntry(spec: Tool, schema: InputSchema, { tier, effect, version }: GuardOptions): CatalogEntry {
  const catalog = new ToolCatalog();
  const { name, description, toolSpec } = spec;
  catalog.register({
    name,
    description,
    tier,
    effect: effect ?? description,
    inputSchema: (toolSpec.inputSchema ?? { type: 'object' }) as JSONSchema,
    parse: inputParser(name, schema),
    ...(version === undefined ? {} : { version }),
  });
  const entry = catalog.get(name);
  if (entry === undefined) throw new ConfigError(`Tool '${name}' could not be registered`);
  return entry;
}

/**
 * The same tool without its own parsing: the guard has parsed already, and the body must get that very object.
 */
function withoutParsing(tool: Tool): Tool | undefined {
  const parts = zodToolParts(tool);
  if (parts === undefined) return undefined;
  const { name, description } = tool;
  const { inputSchema } = tool.toolSpec;
  return sdkTool({
    name,
    description,
    callback: parts.callback,
    ...(inputSchema === undefined ? {} : { inputSchema }),
  });
}

type SdkSchema = NonNullable<ToolSpec['inputSchema']>;

/** A schema as the SDK shows it to the model. */
function sdkSchema(name: string, schema: InputSchema): SdkSchema {
  if (!isZodSchema(schema)) return structuredClone(schema) as SdkSchema;
  try {
    const { toolSpec } = new ZodTool({ name, description: name, inputSchema: schema, callback: () => null });
    return toolSpec.inputSchema ?? {};
  } catch (cause) {
    throw new ConfigError(`Tool '${name}' has an input schema that cannot be shown to a model: ${errorText(cause)}`, {
      cause,
    });
  }
}

function describe(tool: unknown): string {
  const name = typeof tool === 'object' && tool !== null && 'name' in tool ? String(tool.name) : String(tool);
  return `'${name}'`;
}
