import { Tool, type ToolContext, type ToolSpec, type ToolStreamGenerator } from '@strands-agents/sdk';
import type { CatalogEntry } from '../core/catalog.ts';
import { ConfigError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { runGuarded } from './guard-call.ts';
import { type Guard, guardOf, keepGuard } from './guards.ts';

const MAKE = Symbol('make');

/**
 * A tool whose body can only be reached through the gate that it is bound to. Whoever calls it (the agent loop,
 * middleware, a retry, a background task, a direct call, another agent) comes through this one `stream`.
 *
 * Make one with `tauTool` or `guardTool`.
 */
class GuardedTool extends Tool {
  readonly name: string;
  readonly description: string;
  readonly toolSpec: ToolSpec;

  /** Only for this file: the class itself can be reached from every tool. */
  constructor(key: symbol, guard: Guard) {
    super();
    if (key !== MAKE || new.target !== GuardedTool) {
      throw new TypeError('a guarded tool is made with tauTool or guardTool');
    }
    const spec = guardedSpec(guard.entry);
    this.name = spec.name;
    this.description = spec.description;
    this.toolSpec = spec;
    keepGuard(this, guard);
    Object.freeze(this);
  }

  stream(context: ToolContext): ToolStreamGenerator {
    return runGuarded(guardOf(this), context);
  }
}
Object.freeze(GuardedTool.prototype);

/** Makes a guarded tool. Only for code that has built the guard itself. */
export function makeGuardedTool(guard: Guard): Tool {
  return new GuardedTool(MAKE, guard);
}

/**
 * A copy of a guarded tool that is bound to a gate; the tool itself when it is bound to it already.
 *
 * @throws ConfigError when it is bound to another gate.
 */
export function bindTool(tool: Tool, guard: Guard, gate: TierGate): Tool {
  if (guard.gate === gate) return tool;
  if (guard.gate !== undefined) {
    throw new ConfigError(`Tool '${tool.name}' is bound to another gate; make it anew or share one gate`);
  }
  return makeGuardedTool({ ...guard, gate });
}

function guardedSpec(entry: CatalogEntry): ToolSpec {
  const { name, description, inputSchema, tier, effect } = entry;
  const tau = Object.freeze({ tier, effect: typeof effect === 'string' ? effect : 'computed' });
  return Object.freeze({
    name,
    description: description ?? name,
    // The SDK types its schemas as mutable; this one is frozen and must stay so.
    inputSchema: inputSchema as NonNullable<ToolSpec['inputSchema']>,
    annotations: Object.freeze({ tau }),
  });
}
