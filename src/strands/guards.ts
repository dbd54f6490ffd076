import type { Snapshot, Tool } from '@strands-agents/sdk';
import type { CatalogEntry } from '../core/catalog.ts';
import type { TierGate } from '../core/gate.ts';

/** What stands behind a guarded tool. */
export interface Guard {
  readonly entry: CatalogEntry;
  /** The tool that does the work. It is reachable through this record only. */
  readonly inner: Tool;
  /** `agent`: the tool is an agent of its own, whose tools are guarded one by one. */
  readonly kind: 'leaf' | 'agent';
  /** What the agent begins each call with; none for a leaf, and for an agent that keeps its context. */
  readonly start: Snapshot | undefined;
  /** The gate it is bound to; an unbound tool refuses to run. */
  readonly gate: TierGate | undefined;
}

const guards = new WeakMap<Tool, Guard>();

/** Remembers what stands behind a guarded tool. Only `GuardedTool` calls this. */
export function keepGuard(tool: Tool, guard: Guard): void {
  guards.set(tool, guard);
}

/** What stands behind a tool, if tau made it. Annotations and look-alikes do not count. */
export function guardOf(tool: Tool | undefined): Guard | undefined {
  return tool === undefined ? undefined : guards.get(tool);
}

/** Tools that tau itself vouches for without a guard, because they do nothing here: client proxies and the like. */
const vouched = new WeakSet<Tool>();

/** Vouches for a tool that tau's own bridge made. Never for anything that came from outside. */
export function vouchFor(tool: Tool): void {
  vouched.add(tool);
}

/** Whether tau's own bridge made the tool. */
export function isVouched(tool: Tool): boolean {
  return vouched.has(tool);
}
