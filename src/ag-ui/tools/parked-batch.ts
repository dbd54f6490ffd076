import type { Agent } from '@strands-agents/sdk';
import { isJsonArray, isJsonObject, type JSONValue } from '../../core/json.ts';
import { consoleLogger } from '../../core/platform.ts';
import { readCheckpoint } from '../../strands/checkpoint.ts';
import type { Logger } from '../config.ts';

/** Stands for all names: the parked calls cannot be read, so that any of the template's tools may be among them. */
export const EVERY_TEMPLATE_TOOL: unique symbol = Symbol('every template tool');

/** Names that a filter leaves alone, because parked calls are about to be dispatched again. */
export type ExemptNames = ReadonlySet<string> | typeof EVERY_TEMPLATE_TOOL;

/** How parked calls are read. */
export interface ParkedBatchOptions {
  /**
   * Names that were there when the calls parked; a call of any other was never let through and gains nothing by
   * waiting. Absent when nothing was filtered then.
   */
  readonly remembered?: Iterable<string> | undefined;
  readonly log?: Logger | undefined;
}

/** Whether a filter leaves a name alone. */
export function isExempt(names: ExemptNames, name: string): boolean {
  return names === EVERY_TEMPLATE_TOOL || names.has(name);
}

/**
 * Names of the tools that an agent calls again when it is resumed: every call of the batch that its checkpoint holds,
 * finished ones too. Empty when it does not wait at tool calls.
 */
export function parkedBatchToolNames(agent: Agent | undefined, options: ParkedBatchOptions = {}): ExemptNames {
  if (agent === undefined) return new Set();
  const { activated, pending } = readCheckpoint(agent);
  return activated && pending !== undefined ? batchToolNames(pending, options) : new Set();
}

/** The same for pending calls that are kept elsewhere, such as a parked turn of a guarded agent. */
export function batchToolNames(pending: JSONValue, options: ParkedBatchOptions = {}): ExemptNames {
  const { remembered, log = consoleLogger } = options;
  const known = remembered === undefined ? undefined : new Set(remembered);
  const names = calledNames(pending);
  if (names !== undefined) return new Set(known === undefined ? names : names.filter((name) => known.has(name)));
  log.warn(
    'The tool calls that this thread waits at cannot be read; no tool that was visible then is filtered out now',
  );
  return known ?? EVERY_TEMPLATE_TOOL;
}

/** `undefined` when there is any doubt about what is called. */
function calledNames(pending: JSONValue): readonly string[] | undefined {
  const message = isJsonObject(pending) ? pending.assistantMessageData : undefined;
  const content = isJsonObject(message) ? message.content : undefined;
  if (content === undefined || !isJsonArray(content)) return undefined;
  const names: string[] = [];
  for (const block of content) {
    const name = calledName(block);
    if (name === UNREADABLE) return undefined;
    if (name !== undefined) names.push(name);
  }
  return names.length === 0 ? undefined : names;
}

const UNREADABLE: unique symbol = Symbol('unreadable');

/** The tool that a block calls; `undefined` when it is no call. */
function calledName(block: JSONValue): string | typeof UNREADABLE | undefined {
  if (!isJsonObject(block)) return UNREADABLE;
  const { toolUse } = block;
  if (toolUse === undefined) return undefined;
  return isJsonObject(toolUse) && typeof toolUse.name === 'string' ? toolUse.name : UNREADABLE;
}
