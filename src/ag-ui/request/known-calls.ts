import type { ContentBlockData, JSONValue, MessageData, ToolResultBlockData } from '@strands-agents/sdk';

/** A tool call that this server's agent made itself. */
export interface KnownCall {
  readonly name: string;
  readonly input: JSONValue;
  /** What the server's tool answered. Absent for a tool of the client, whose answer comes from the client. */
  readonly result?: ToolResultBlockData;
}

/**
 * The calls that this server has seen, by id. What it says wins over the client's copy of the conversation; an id that
 * it does not know is the client's to tell.
 */
export type KnownCalls = (toolCallId: string) => KnownCall | undefined;

/** A server that has seen nothing. */
export const NOTHING_KNOWN: KnownCalls = () => undefined;

/**
 * The calls in messages that an agent wrote. Give it only what runs of this server appended: history that was replayed
 * from a client is the client's word.
 *
 * @param isClientTool - Whether a tool's answers come from the client; their placeholder results are not taken.
 */
export function callsIn(
  messages: readonly MessageData[],
  isClientTool: (name: string) => boolean,
): ReadonlyMap<string, KnownCall> {
  const blocks = messages.flatMap(({ content }) => content);
  const results = new Map<string, ToolResultBlockData>();
  for (const block of blocks) if (isResult(block)) results.set(block.toolResult.toolUseId, block.toolResult);
  const calls = new Map<string, KnownCall>();
  for (const block of blocks) {
    if (!isUse(block)) continue;
    const { toolUseId, name, input } = block.toolUse;
    const result = isClientTool(name) ? undefined : results.get(toolUseId);
    calls.set(toolUseId, { name, input, ...(result === undefined ? {} : { result }) });
  }
  return calls;
}

type Use = Extract<ContentBlockData, { toolUse: unknown }>;
type Result = Extract<ContentBlockData, { toolResult: unknown }>;

function isUse(block: ContentBlockData): block is Use {
  return 'toolUse' in block;
}

function isResult(block: ContentBlockData): block is Result {
  return 'toolResult' in block;
}
