import type { RunAgentInput } from '@ag-ui/core';
import type { LocalAgent, Tool } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import { guardOf } from '../../strands/guards.ts';
import type { Logger, RequestContext, TemplateToolsProvider, ToolProducer } from '../config.ts';
import { isProxyTool, type StrandsToolRegistry, syncProxyTools } from './client-tools.ts';
import { installNarrowing, type Narrowing, narrowingOf } from './narrowing.ts';
import type { ExemptNames } from './parked-batch.ts';
import { addProducedTools, dropProducedTools } from './produced-tools.ts';
import { askProvider, type Selection } from './selection.ts';
import { isSelected, mayBeTemplateTool, syncTemplateTools, toolsByName } from './template-tools.ts';
import { visibleNames } from './visible-names.ts';

/** What decides about the tools of one run. */
export interface ToolsOfRunRequest {
  /** The thread's own agent; nobody else runs it meanwhile. */
  readonly agent: LocalAgent;
  /** The tools that the template contributes, those that plugins and MCP clients brought at the start included. */
  readonly templateTools: readonly Tool[];
  readonly provider: TemplateToolsProvider | undefined;
  readonly producers: readonly ToolProducer[];
  readonly input: RunAgentInput;
  readonly context: RequestContext;
  /** Names of the calls that this run dispatches again; empty when it does not resume. See `parkedBatchToolNames`. */
  readonly parked: ExemptNames;
  readonly log: Logger;
}

/** The tools of one run. */
export interface ToolsOfRun {
  /** Template tools that the provider selected; `undefined` when nothing is filtered. */
  readonly selection: Selection;
  /**
   * Names that the guard lets through in this run; `undefined` when nothing is filtered. Hand on this very set: what
   * only the parked batch may use leaves it once the batch was dispatched.
   */
  readonly visible: ReadonlySet<string> | undefined;
  /** Names of the client's tools that the agent holds. */
  readonly proxyNames: ReadonlySet<string>;
  /**
   * Names to keep with the interrupts when the run parks, for `parkedBatchToolNames` of the resume; `undefined` when
   * nothing is filtered. Ask when the run has stopped.
   */
  namesToRemember(): readonly string[] | undefined;
}

/**
 * Gives a thread's agent the tools of one run: first the template's, by the provider's answer, then the client's, then
 * those of producers.
 *
 * @throws RunError when the provider fails; whatever the registry throws. The registry is as before then.
 */
export async function toolsOfRun(request: ToolsOfRunRequest): Promise<ToolsOfRun> {
  const { agent, provider, input, context, log } = request;
  const narrowing = provider === undefined ? narrowingOf(agent) : installNarrowing(agent);
  const names = contributed(request, narrowing).keys();
  const selection = provider === undefined ? undefined : await askProvider(provider, input, context, names, log);
  const before = agent.toolRegistry.list();
  try {
    return await apply(request, narrowing, selection);
  } catch (error) {
    putBack(agent.toolRegistry, before, log);
    throw error;
  }
}

/**
 * Names that no client may give a tool: those of guarded tools, and of all that their gate knows, such as the tools of an
 * agent that is used as a tool. A call is told of with the tier that the gate has for its name.
 */
function guardedNames(tools: Iterable<Tool>): ReadonlySet<string> {
  const guarded = [...tools].filter((tool) => guardOf(tool) !== undefined);
  const gates = new Set(guarded.flatMap((tool) => guardOf(tool)?.gate ?? []));
  const known = [...gates].flatMap(({ catalog }) => catalog.list());
  return new Set([...guarded, ...known].map(({ name }) => name));
}

async function apply(
  request: ToolsOfRunRequest,
  narrowing: Narrowing | undefined,
  selection: Selection,
): Promise<ToolsOfRun> {
  const { agent, input, context, producers, parked, log } = request;
  const { toolRegistry: registry } = agent;
  const template = contributed(request, narrowing);
  const before = registry.list().filter(mayBeTemplateTool);
  // Without a filter, now or earlier, there is nothing to take out or to bring back.
  if (narrowing !== undefined) {
    syncTemplateTools(registry, template.values(), selection, { exemptNames: parked, log });
  }
  const held = registry.list().filter((tool) => template.has(tool.name) && mayBeTemplateTool(tool));
  dropProducedTools(registry, parked);
  syncProxyTools(registry, input.tools, proxyNames(registry), log, {
    exemptNames: parked,
    reservedNames: guardedNames(template.values()),
  });
  const templateNames = [...template.keys()];
  await addProducedTools(registry, { producers, input, context, templateNames, exemptNames: parked, log });
  const visible = visibleTo(template, selection, held);
  narrowing?.begin(
    {
      selection,
      held: new Set(held.map((tool) => tool.name)),
      visible,
      visibleAfterwards: visibleTo(
        template,
        selection,
        held.filter((tool) => isSelected(selection, tool.name)),
      ),
    },
    before.filter((tool) => registry.get(tool.name) !== tool),
  );
  return {
    selection,
    visible,
    proxyNames: new Set(proxyNames(registry)),
    namesToRemember: () => narrowing?.names,
  };
}

/** The template's tools: what it lists, what a filter withholds, and what came into the registry since. */
function contributed(
  { agent, templateTools }: ToolsOfRunRequest,
  narrowing: Narrowing | undefined,
): ReadonlyMap<string, Tool> {
  const listed = toolsByName(templateTools);
  const tools = narrowing?.restorable(listed) ?? listed;
  for (const [name, tool] of toolsByName(agent.toolRegistry.list())) if (!tools.has(name)) tools.set(name, tool);
  return tools;
}

function visibleTo(
  template: ReadonlyMap<string, Tool>,
  selection: Selection,
  tools: readonly Tool[],
): Set<string> | undefined {
  if (selection === undefined) return undefined;
  return visibleNames(tools, (name) => template.has(name) && !selection.has(name));
}

function proxyNames(registry: StrandsToolRegistry): readonly string[] {
  return registry
    .list()
    .filter(isProxyTool)
    .map((tool) => tool.name);
}

/** Undoes what a run changed; only that, so that a registry which fails keeps as much as it can. */
function putBack(registry: StrandsToolRegistry, before: readonly Tool[], log: Logger): void {
  for (const tool of registry.list()) if (!before.includes(tool)) registry.remove(tool.name);
  for (const tool of before) {
    if (registry.get(tool.name) === tool) continue;
    try {
      registry.addOrReplace([tool]);
    } catch (error) {
      log.error(`Tool '${tool.name}' could not be put back: ${errorText(error)}`);
    }
  }
}
