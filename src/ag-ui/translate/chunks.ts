import type { BaseEvent } from '@ag-ui/core';
import {
  RAW,
  REASONING_ENCRYPTED_VALUE,
  REASONING_MESSAGE_CHUNK,
  REASONING_MESSAGE_CONTENT,
  REASONING_MESSAGE_END,
  REASONING_MESSAGE_START,
  TEXT_CHUNK,
  TEXT_CONTENT,
  TEXT_END,
  TEXT_START,
  TOOL_ARGS,
  TOOL_CHUNK,
  TOOL_END,
  TOOL_START,
} from './events.ts';

/** Turns one event into what is sent for it; `undefined` for nothing. */
export type EventMapper = (event: BaseEvent) => BaseEvent | undefined;

/** Sends every event as it is. */
export function wholeEvents(event: BaseEvent): BaseEvent {
  return event;
}

/**
 * Turns start, content and end of texts, thoughts and calls into chunks. A client closes what it assembles at most other
 * events, so a call that goes on after one of those names itself again.
 */
export function chunkMapper(): EventMapper {
  /** The start of the call that the client may have to open again, once something came between. */
  let call: BaseEvent | undefined;
  let interrupted = false;
  return (event) => {
    switch (event.type) {
      case TOOL_START:
        call = event;
        interrupted = false;
        return { ...event, type: TOOL_CHUNK };
      case TOOL_ARGS: {
        const opener = interrupted && call?.toolCallId === event.toolCallId ? call : {};
        interrupted = false;
        return { ...opener, ...event, type: TOOL_CHUNK };
      }
      case TOOL_END:
        call = undefined;
        return lastChunk(event, TOOL_CHUNK);
      case TEXT_START:
      case TEXT_CONTENT:
        interrupted = true;
        return { ...event, type: TEXT_CHUNK };
      case TEXT_END:
        return lastChunk(event, TEXT_CHUNK);
      case REASONING_MESSAGE_START: {
        interrupted = true;
        const { role: _role, ...chunk } = event;
        return { ...chunk, type: REASONING_MESSAGE_CHUNK };
      }
      case REASONING_MESSAGE_CONTENT:
        interrupted = true;
        return { ...event, type: REASONING_MESSAGE_CHUNK };
      case REASONING_MESSAGE_END:
        return lastChunk(event, REASONING_MESSAGE_CHUNK);
      default:
        interrupted ||= event.type !== RAW && event.type !== REASONING_ENCRYPTED_VALUE;
        return event;
    }
  };
}

/** An end needs no chunk, unless it says something about the whole. */
function lastChunk(end: BaseEvent, type: BaseEvent['type']): BaseEvent | undefined {
  return end.metadata === undefined ? undefined : { ...end, type };
}
