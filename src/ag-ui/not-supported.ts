import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { readContent } from './request/content.ts';
import { custom } from './translate/events.ts';

const REASON = 'not supported by this server';

/** Tells the client what of its request is left out, before the agent runs. Media without any text end the run instead. */
export function* notSupported(input: RunAgentInput): Generator<BaseEvent, void, undefined> {
  const last = input.messages.at(-1);
  const { text, media } = readContent(last?.role === 'user' ? last.content : '');
  if (text.trim() !== '' && media.length > 0) {
    yield custom('MediaDropped', { dropped: media.map((type) => ({ type, reason: REASON })), delivered: 0 });
  }
  if (asksForA2UI(input.forwardedProps)) yield custom('tau:not_supported', { feature: 'a2ui', reason: REASON });
}

function asksForA2UI(props: unknown): boolean {
  return typeof props === 'object' && props !== null && 'injectA2UITool' in props && Boolean(props.injectA2UITool);
}
