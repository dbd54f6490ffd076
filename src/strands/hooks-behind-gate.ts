import type { LocalAgent } from '@strands-agents/sdk';
import { beforeToolCallHooks } from './sdk-internals.ts';

const own = new WeakSet<object>();

/** Marks a callback as the gate's own tool-call hook. Only `TierHook` calls this. */
export function markGateHook<T extends object>(callback: T): T {
  own.add(callback);
  return callback;
}

/**
 * Names the tool-call hooks that run after the gate's own, whatever their order number (`NaN` included). Read it after
 * `await agent.initialize()`, when plugins have registered theirs.
 *
 * @returns One line for each; all hooks when the gate's own is missing.
 * @throws ConfigError when the SDK keeps its hooks in an unknown way.
 */
export function hooksBehindGate(agent: LocalAgent): string[] {
  const hooks = beforeToolCallHooks(agent);
  const gate = hooks.findLastIndex((hook) => own.has(hook.callback));
  return hooks.slice(gate + 1).map((hook) => {
    const name = 'name' in hook.callback && typeof hook.callback.name === 'string' ? hook.callback.name : '';
    return `BeforeToolCallEvent hook ${name === '' ? '(unnamed)' : `'${name}'`} with order ${hook.order}`;
  });
}
