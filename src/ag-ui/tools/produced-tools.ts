import type { RunAgentInput } from '@ag-ui/core';
import type { Tool } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import { vouchFor } from '../../strands/guards.ts';
import type { Logger, RequestContext, ToolProducer } from '../config.ts';
import { isProxyTool, type StrandsToolRegistry } from './client-tools.ts';
import { type ExemptNames, isExempt } from './parked-batch.ts';
import { isToolName, nameIdentity, shown } from './tool-names.ts';
import { untilAborted } from './until-aborted.ts';

const AUTO_INJECTED: unique symbol = Symbol.for('@ag-ui/aws-strands.a2uiAutoInjected');

const produced = new WeakSet<Tool>();

/** Whether a tool was made for one run by a producer of the bridge. */
export function isProducedTool(tool: Tool): boolean {
  return produced.has(tool) || (AUTO_INJECTED in tool && tool[AUTO_INJECTED] === true);
}

/** What the producers of a run are given. */
export interface ProducersOfRun {
  readonly producers: readonly ToolProducer[];
  readonly input: RunAgentInput;
  readonly context: RequestContext;
  /** Names of the template's tools, filtered out or not; no producer may take one. */
  readonly templateNames: Iterable<string>;
  readonly exemptNames: ExemptNames;
  readonly log: Logger;
}

/** Removes what producers made for an earlier run, so that its names are free again; parked calls keep theirs. */
export function dropProducedTools(registry: StrandsToolRegistry, exemptNames: ExemptNames): void {
  for (const tool of registry.list()) {
    if (isProducedTool(tool) && !isExempt(exemptNames, tool.name)) registry.remove(tool.name);
  }
}

/**
 * Adds the tools that producers make for this run. A producer that fails adds nothing, with a warning.
 *
 * @throws Only when the client has left.
 */
export async function addProducedTools(registry: StrandsToolRegistry, run: ProducersOfRun): Promise<void> {
  const { producers, log } = run;
  for (const producer of producers) {
    try {
      for (const tool of await toolsFrom(producer, registry, run)) register(registry, producer, tool, run);
    } catch (error) {
      run.context.signal.throwIfAborted();
      log.warn(`Tool producer ${shown(producer.name)} failed; its tools are left out: ${errorText(error)}`);
    }
  }
}

async function toolsFrom(
  producer: ToolProducer,
  registry: StrandsToolRegistry,
  { input, context, templateNames }: ProducersOfRun,
): Promise<readonly Tool[]> {
  const existing = [...new Set([...templateNames, ...registry.list().map((tool) => tool.name)])];
  return [...(await untilAborted(() => producer.produce(input, context, existing), context.signal))];
}

function register(registry: StrandsToolRegistry, producer: ToolProducer, tool: Tool, run: ProducersOfRun): void {
  const { name } = tool;
  const rival = isToolName(name) ? rivalOf(registry, name, run) : 'no tool, since it is not usable';
  if (rival !== undefined) {
    run.log.warn(`Tool ${shown(name)} of producer ${shown(producer.name)} is left out: its name belongs to ${rival}`);
    return;
  }
  for (const other of registry.list()) {
    if (nameIdentity(other.name) === nameIdentity(name)) registry.remove(other.name);
  }
  produced.add(tool);
  vouchFor(tool);
  registry.add(tool);
}

/** Who holds a name that a producer wants: the template, another tool of the server, or a proxy that parked calls use. */
function rivalOf(registry: StrandsToolRegistry, name: string, run: ProducersOfRun): string | undefined {
  const identity = nameIdentity(name);
  for (const templateName of run.templateNames) {
    if (nameIdentity(templateName) === identity) return 'the template agent';
  }
  const holder = registry.list().find((other) => {
    const yields = isProxyTool(other)
      ? !isExempt(run.exemptNames, other.name)
      : isProducedTool(other) && other.name === name;
    return nameIdentity(other.name) === identity && !yields;
  });
  return holder === undefined ? undefined : shown(holder.name);
}
