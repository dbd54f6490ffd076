import type { PredictStateMapping, ToolBehavior } from '../config.ts';

/** What the bridge knows about this run and the stream does not say. */
export interface RunRules {
  /** Whether a tool runs at the client. */
  isFrontend(toolName: string): boolean;
  /**
   * Whether the client knows this call already: the request ends with its result, or it belongs to a batch that is
   * resumed. Such a call is not announced again; its result is still told.
   */
  alreadyAnnounced(toolUseId: string): boolean;
  /** Whether a call of a batch that is resumed still has no answer of the client; default no. */
  isUnanswered?(toolUseId: string): boolean;
}

/** Everything the machine asks the outside. Each answer must stay the same during a run. */
export interface Rules extends RunRules {
  /** Whether the request's history has a call with this id. */
  isPastCall(toolUseId: string): boolean;
  behaviorOf(toolName: string): ToolBehavior | undefined;
  newId(): string;
}

/** Looks settings up by tool name; a tool named like a property of every object has none. */
export function behaviorLookup(
  behaviors: Readonly<Record<string, ToolBehavior>> | undefined,
): (toolName: string) => ToolBehavior | undefined {
  const byName = new Map(Object.entries(behaviors ?? {}));
  return (toolName) => byName.get(toolName);
}

/** The mappings of a tool as a list; one mapping stands for itself. */
export function predictStateOf(behavior: ToolBehavior | undefined): readonly PredictStateMapping[] {
  const mappings = behavior?.predictState;
  if (mappings === undefined) return [];
  return Symbol.iterator in mappings ? [...mappings] : [mappings];
}
