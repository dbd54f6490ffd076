import type { BaseEvent, EventType, Message } from '@ag-ui/core';

/**
 * The protocol's event names are a TypeScript enum whose values are their own names. Importing the enum itself would
 * load one generation of `@ag-ui/core` at run time; its values are the same in all of them.
 */
function named<T extends `${EventType}`>(type: T): EventType {
  return type as unknown as EventType;
}

export const TEXT_START: EventType = named('TEXT_MESSAGE_START');
export const TEXT_CONTENT: EventType = named('TEXT_MESSAGE_CONTENT');
export const TEXT_END: EventType = named('TEXT_MESSAGE_END');
export const TEXT_CHUNK: EventType = named('TEXT_MESSAGE_CHUNK');
export const REASONING_START: EventType = named('REASONING_START');
export const REASONING_END: EventType = named('REASONING_END');
export const REASONING_MESSAGE_START: EventType = named('REASONING_MESSAGE_START');
export const REASONING_MESSAGE_CONTENT: EventType = named('REASONING_MESSAGE_CONTENT');
export const REASONING_MESSAGE_END: EventType = named('REASONING_MESSAGE_END');
export const REASONING_MESSAGE_CHUNK: EventType = named('REASONING_MESSAGE_CHUNK');
export const REASONING_ENCRYPTED_VALUE: EventType = named('REASONING_ENCRYPTED_VALUE');
export const TOOL_START: EventType = named('TOOL_CALL_START');
export const TOOL_ARGS: EventType = named('TOOL_CALL_ARGS');
export const TOOL_END: EventType = named('TOOL_CALL_END');
export const TOOL_CHUNK: EventType = named('TOOL_CALL_CHUNK');
export const TOOL_RESULT: EventType = named('TOOL_CALL_RESULT');
export const STATE_SNAPSHOT: EventType = named('STATE_SNAPSHOT');
const MESSAGES_SNAPSHOT: EventType = named('MESSAGES_SNAPSHOT');
export const STEP_STARTED: EventType = named('STEP_STARTED');
export const STEP_FINISHED: EventType = named('STEP_FINISHED');
export const CUSTOM: EventType = named('CUSTOM');
export const RAW: EventType = named('RAW');
export const RUN_STARTED: EventType = named('RUN_STARTED');
export const RUN_FINISHED: EventType = named('RUN_FINISHED');
export const RUN_ERROR: EventType = named('RUN_ERROR');

export function textContent(messageId: string, delta: string): BaseEvent {
  return { type: TEXT_CONTENT, messageId, delta };
}

export function toolArgs(toolCallId: string, delta: string): BaseEvent {
  return { type: TOOL_ARGS, toolCallId, delta };
}

export function custom(name: string, value: unknown): BaseEvent {
  return { type: CUSTOM, name, value };
}

export function stateSnapshot(snapshot: unknown): BaseEvent {
  return { type: STATE_SNAPSHOT, snapshot };
}

export function messagesSnapshot(messages: readonly Message[]): BaseEvent {
  return { type: MESSAGES_SNAPSHOT, messages };
}
