import { BeforeToolCallEvent, BeforeToolsEvent, type LocalAgent } from '@strands-agents/sdk';
import { isJsonObject, type JSONValue, sealJson } from '../../core/json.ts';
import { giveDistinctIds } from '../../strands/distinct-ids.ts';
import type { ToolBehavior } from '../config.ts';

const PREFIX = 'ag_ui:tool_call:';

/** The call an interrupt of `interruptOnCall` asks about; `undefined` for every other interrupt. */
export function interruptOnCallReason(interrupt: {
  readonly name: string;
  readonly reason?: unknown;
}): { readonly tool: string; readonly input: JSONValue; readonly toolUseId: string | undefined } | undefined {
  if (!interrupt.name.startsWith(PREFIX)) return undefined;
  const reason = interrupt.reason as JSONValue | undefined;
  if (!isJsonObject(reason) || reason.tool_call !== true || typeof reason.tool_name !== 'string') return undefined;
  const { tool_name: tool, tool_input: input = null, tool_use_id: id } = reason;
  return { tool, input, toolUseId: typeof id === 'string' ? id : undefined };
}

/**
 * Asks the client before tools with `interruptOnCall` run. Only a registered tool is asked about, and only
 * `approved: true` lets it go on; a guarded tool's own guard still has the last word.
 *
 * @param behaviorOf - Read at each call, since the bridge's settings may be replaced.
 */
export function installInterruptOnCall(
  agent: LocalAgent,
  behaviorOf: (tool: string) => ToolBehavior | undefined,
  isClientTool: (tool: string) => boolean,
): void {
  const first = { order: Number.NEGATIVE_INFINITY };
  agent.addHook(BeforeToolsEvent, ({ message }) => void giveDistinctIds(message), first);
  agent.addHook(BeforeToolCallEvent, (event) => {
    const { name, input, toolUseId } = event.toolUse;
    if (event.cancel || behaviorOf(name)?.interruptOnCall !== true || isClientTool(name)) return;
    if (agent.toolRegistry.get(name) === undefined) return;
    const reason = { tool_call: true, tool_name: name, tool_input: detached(input), tool_use_id: toolUseId };
    const answer: unknown = event.interrupt({ name: PREFIX + name, reason: reason as never });
    const approved = typeof answer === 'object' && answer !== null && 'approved' in answer && answer.approved === true;
    if (!approved) event.cancel = `User denied approval for '${name}'.`;
  });
}

function detached(input: unknown): JSONValue {
  try {
    return sealJson(input);
  } catch {
    return null;
  }
}
