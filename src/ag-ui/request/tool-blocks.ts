import type { ToolMessage } from '@ag-ui/core';
import type { JSONValue, ToolResultBlockData, ToolUseBlockData } from '@strands-agents/sdk';
import { readContent, textOrKinds } from './content.ts';
import { withoutHostileKeys } from './plain-keys.ts';

/** What a client says a tool answered. */
export type ToolAnswer = Pick<ToolMessage, 'content' | 'error'>;

const NO_VALUE = 'Tool executed successfully with no return value.';
const NO_REASON = 'The tool failed; no reason given.';

/** Numbers that JavaScript would not give back as they were written: long ones and very large ones. */
const LOSSY_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;

const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_ID_LENGTH = 256;

/** A tool call of the client's copy as a block, or `undefined` when no model would accept it. */
export function toolUseBlock(id: string, name: string, argumentsText: string): ToolUseBlockData | undefined {
  if (id.trim() === '' || id.length > MAX_ID_LENGTH || !id.isWellFormed() || !TOOL_NAME.test(name)) return undefined;
  return { toolUseId: id, name, input: inputOf(argumentsText) };
}

/** The answer of a tool as a block: JSON objects and lists as they are, everything else as text. */
export function toolResultBlock(toolUseId: string, { content, error }: ToolAnswer): ToolResultBlockData {
  const answer = answerBlock(content);
  if (error === undefined) return { toolUseId, status: 'success', content: [answer ?? { text: NO_VALUE }] };
  const reason = error.trim() === '' ? NO_REASON : error.toWellFormed();
  return {
    toolUseId,
    status: 'error',
    content: answer === undefined ? [{ text: reason }] : [answer, { text: reason }],
  };
}

/** The text of a tool's answer; kinds of media stand for media when there is no text. */
export function answerText(content: unknown): string {
  return textOrKinds(readContent(content));
}

function answerBlock(content: unknown): ToolResultBlockData['content'][number] | undefined {
  const text = answerText(content);
  if (text.trim() === '') return undefined;
  const json = LOSSY_NUMBER.test(text) ? undefined : parseContainer(text);
  return json === undefined ? { text } : { json };
}

/** Models are given an object, whatever stands in the client's copy. */
function inputOf(argumentsText: string): JSONValue {
  const parsed = parseContainer(argumentsText);
  if (parsed === undefined) return {};
  return Array.isArray(parsed) ? { value: parsed } : parsed;
}

/** The object or list that a text holds as JSON. */
function parseContainer(text: string): JSONValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    // What JSON.parse returns is JSON.
    return withoutHostileKeys(JSON.parse(text)) as JSONValue;
  } catch {
    return undefined;
  }
}
