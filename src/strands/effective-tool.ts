import type { BeforeToolCallEvent, Tool } from '@strands-agents/sdk';

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
export function pinTool(event: BeforeToolCallEvent, checked: Tool, passes: (tool: Tool) => boolean): void {
  let selected = checked;
  Object.defineProperty(event, 'selectedTool', {
    configurable: false,
    enumerable: true,
    get: () => selected,
    set: (value: Tool | undefined) => {
      if (value !== undefined && passes(value)) selected = value;
    },
  });
}
