import {
  AfterToolsEvent,
  BeforeModelCallEvent,
  BeforeToolsEvent,
  type LocalAgent,
  type Tool,
} from '@strands-agents/sdk';
import type { StrandsToolRegistry } from './client-tools.ts';
import type { Selection } from './selection.ts';
import { isSelected, mayBeTemplateTool, toolsByName } from './template-tools.ts';

const FIRST = { order: Number.NEGATIVE_INFINITY };
const LAST = { order: Number.POSITIVE_INFINITY };

/** The filter of one run. */
export interface RunFilter {
  readonly selection: Selection;
  /** Template tools that are registered although they are not selected, until the parked calls are dispatched. */
  readonly held: ReadonlySet<string>;
  /** What the guard lets through now; what is held leaves it before the next model call. */
  readonly visible: Set<string> | undefined;
  /** What the guard lets through once nothing is held any more. */
  readonly visibleAfterwards: ReadonlySet<string> | undefined;
}

/**
 * Keeps an agent to the filter of the run that it is in. What a parked batch needs is registered when the run starts;
 * once the batch was dispatched, the SDK goes on to the next model call in the same run, and by then it must be gone.
 *
 * It never asks the SDK's checkpoint, which releases clear at different moments, and it never brings a tool back.
 */
export class Narrowing {
  #run: RunFilter | undefined;
  #dispatched: readonly string[] | undefined;
  readonly #registry: StrandsToolRegistry;
  /** What filters took out of the registry, by name. */
  #withheld: ReadonlyMap<string, Tool> = new Map();
  /** What was ever seen in the registry. */
  readonly #known = new WeakSet<Tool>();

  constructor(agent: LocalAgent) {
    this.#registry = agent.toolRegistry;
    agent.addHook(BeforeToolsEvent, () => this.#beforeTools(), FIRST);
    // A release may have read the tools by the time of `BeforeModelCallEvent`; this one is in time for every release.
    agent.addHook(AfterToolsEvent, () => this.#narrowToSelection(), LAST);
    agent.addHook(BeforeModelCallEvent, () => this.#beforeModelCall(), LAST);
  }

  /**
   * Starts a run: from now on this filter holds, and no earlier one.
   *
   * @param removed - The template's tools that were taken out of the registry for it.
   */
  begin(run: RunFilter, removed: readonly Tool[]): void {
    this.#run = run;
    this.#dispatched = undefined;
    this.#withhold(removed);
    this.#learn();
  }

  /**
   * Names to keep with a parked batch, so that a later run exempts no call of a tool that was not there; `undefined`
   * when nothing was filtered.
   */
  get names(): readonly string[] | undefined {
    return this.#run?.selection === undefined ? undefined : (this.#dispatched ?? this.#registered());
  }

  /** What can be registered: what the template lists, and what a filter withholds. */
  restorable(listed: ReadonlyMap<string, Tool>): Map<string, Tool> {
    this.#learn();
    const tools = new Map(listed);
    for (const [name, withheld] of this.#withheld) {
      // A listed tool that was never registered was built anew. One that was is older than what took its place.
      const anew = listed.get(name);
      if (anew === undefined || this.#known.has(anew)) tools.set(name, withheld);
    }
    return tools;
  }

  #learn(): void {
    for (const tool of this.#registry.list()) this.#known.add(tool);
  }

  /** Notes which tools a filter took out of the registry. Those that are back are no longer withheld. */
  #withhold(removed: readonly Tool[]): void {
    const back = toolsByName(this.#registry.list());
    const still = [...this.#withheld].filter(([name]) => !back.has(name));
    this.#withheld = new Map([...still, ...removed.map((tool): [string, Tool] => [tool.name, tool])]);
  }

  #beforeTools(): void {
    const run = this.#run;
    if (run === undefined) return;
    this.#narrow((name) => isSelected(run.selection, name) || run.held.has(name));
    this.#dispatched = this.#registered();
  }

  #beforeModelCall(): void {
    this.#narrowToSelection();
    this.#dispatched = undefined;
    const { visible, visibleAfterwards } = this.#run ?? {};
    if (visible === undefined) return;
    for (const name of visible) if (visibleAfterwards?.has(name) !== true) visible.delete(name);
  }

  #narrowToSelection(): void {
    const run = this.#run;
    if (run !== undefined) this.#narrow((name) => isSelected(run.selection, name));
  }

  #narrow(stays: (name: string) => boolean): void {
    const gone = this.#registry.list().filter((tool) => mayBeTemplateTool(tool) && !stays(tool.name));
    for (const tool of gone) this.#registry.remove(tool.name);
    if (gone.length > 0) this.#withhold(gone);
  }

  #registered(): readonly string[] {
    return this.#registry.list().map((tool) => tool.name);
  }
}

const narrowings = new WeakMap<LocalAgent, Narrowing>();

/** The narrowing of an agent, if a filter was ever configured for it. */
export function narrowingOf(agent: LocalAgent): Narrowing | undefined {
  return narrowings.get(agent);
}

/** The narrowing of an agent; its hooks are installed once, whoever asks. */
export function installNarrowing(agent: LocalAgent): Narrowing {
  const narrowing = narrowings.get(agent) ?? new Narrowing(agent);
  narrowings.set(agent, narrowing);
  return narrowing;
}
