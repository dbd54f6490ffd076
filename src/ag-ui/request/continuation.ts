import type { Message, ToolMessage } from '@ag-ui/core';
import type { ToolResultBlockData } from '@strands-agents/sdk';
import { RunError } from '../run-error.ts';
import type { KnownCalls } from './known-calls.ts';
import { answerText } from './tool-blocks.ts';

/** Finds the name of a tool by the id of a call that this request does not show. */
export type NameOfCall = (toolCallId: string) => string | undefined;

/** One tool result that ends a request, as a line for the agent. */
export interface ContinuationLine {
  readonly toolCallId: string;
  readonly line: string;
}

/** The tool messages that end a request; those that only an interface shows may stand between them. */
export function trailingResults(messages: readonly Message[]): readonly ToolMessage[] {
  const results: ToolMessage[] = [];
  for (const message of messages.toReversed()) {
    if (message.role === 'tool') results.push(message);
    else if (message.role !== 'activity' && message.role !== 'reasoning') break;
  }
  return results.reverse();
}

/**
 * What the agent is told of the results that end a request, one line for each. What the server's own tool answered
 * stands in place of the client's copy.
 *
 * @throws RunError with code `CONTINUATION_TOOL_NAME_UNRESOLVED` when a result belongs to a call that nobody made.
 */
export function continuationLines(
  messages: readonly Message[],
  known: KnownCalls,
  nameOf: NameOfCall,
): readonly ContinuationLine[] {
  const names = calledNames(messages);
  const unresolved: string[] = [];
  const lines = trailingResults(messages).map((result) => {
    const { toolCallId } = result;
    const own = known(toolCallId);
    const name = own?.name ?? names.get(toolCallId) ?? nameOf(toolCallId);
    if (name === undefined) unresolved.push(toolCallId);
    const outcome = own?.result === undefined ? clientOutcome(result) : serverOutcome(own.result);
    return { toolCallId, line: lineOf(name ?? '', outcome) };
  });
  if (unresolved.length > 0)
    throw new RunError('CONTINUATION_TOOL_NAME_UNRESOLVED', [unresolved.slice(0, 4).join(', ')]);
  return lines;
}

/** What came of a call: what it returned, and why it failed if it did. */
interface Outcome {
  readonly returned: string;
  readonly failed: string | undefined;
}

function lineOf(name: string, { returned, failed }: Outcome): string {
  if (failed === undefined) {
    return returned === '' ? `${name} executed successfully with no return value.` : `${name} returned: ${returned}`;
  }
  const reason = failed.trim() === '' ? 'no reason given.' : failed;
  return `${name} failed: ${reason}${returned === '' ? '' : ` (returned: ${returned})`}`;
}

function clientOutcome({ content, error }: ToolMessage): Outcome {
  return { returned: answerText(content), failed: error?.toWellFormed() };
}

function serverOutcome({ status, content }: ToolResultBlockData): Outcome {
  const text = content
    .map((block) => ('text' in block ? block.text : 'json' in block ? JSON.stringify(block.json) : '[media]'))
    .join(' ');
  return status === 'error' ? { returned: '', failed: text } : { returned: text, failed: undefined };
}

function calledNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) names.set(call.id, call.function.name);
  }
  return names;
}
