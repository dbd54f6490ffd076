import type { BeforeToolCallEvent, Tool } from '@strands-agents/sdk';
import { Marked } from '../core/marked.ts';

/** The tool that the executor will run for a call, by the executor's own rule. */
export function effectiveTool(event: BeforeToolCallEvent): Tool | undefined {
  if (event.selectedTool !== undefined) return event.selectedTool;
  const { name } = event.toolUse;
  return event.tool?.name === name ? event.tool : event.agent.toolRegistry.get(name);
}

/** Refuses a call for good: whoever gets the event after the last hook can change the text, but not un-cancel it. */
export function pinRefusal(event: BeforeToolCallEvent, text: string): void {
  let cancel: string | boolean = text;
  Object.defineProperty(event, 'cancel', {
    configurable: false,
    enumerable: true,
    get: () => cancel,
    set: (value: string | boolean) => {
      if (typeof value === 'string' && value !== '') cancel = value;
    },
  });
}

/** Holds a call to the tool that was checked: a later change of the choice counts only when it passes the same check. */
export function pinTool(event: BeforeToolCallEvent, checked: Tool, passes: ToolCheck): void {
  new PinnedChoice(event, checked, passes);
  Object.defineProperty(event, 'selectedTool', PINNED);
}

type ToolCheck = (tool: Tool, event: BeforeToolCallEvent) => boolean;

/** The choice of one event, where only the accessors of `PINNED` reach it. */
class PinnedChoice extends Marked {
  #selected: Tool;
  readonly #passes: ToolCheck;

  constructor(event: BeforeToolCallEvent, checked: Tool, passes: ToolCheck) {
    super(event);
    this.#selected = checked;
    this.#passes = passes;
  }

  static get(event: object): Tool | undefined {
    return #selected in event ? event.#selected : undefined;
  }

  static set(event: BeforeToolCallEvent, tool: Tool | undefined): void {
    if (tool !== undefined && #selected in event && event.#passes(tool, event)) event.#selected = tool;
  }
}

/** One pair of accessors for all events: with its own, each event would be an object of a shape of its own, and slow. */
const PINNED: PropertyDescriptor & ThisType<BeforeToolCallEvent> = {
  configurable: false,
  enumerable: true,
  get() {
    return PinnedChoice.get(this);
  },
  set(tool: Tool | undefined) {
    PinnedChoice.set(this, tool);
  },
};
