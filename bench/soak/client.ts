import { request } from 'node:http';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { WHO } from './house.ts';

/** When a client hangs up; neither is never. */
export interface Leaving {
  readonly afterBytes?: number;
  readonly afterMs?: number;
}

/** What a client has read of a run. */
export interface Answer {
  readonly events: readonly BaseEvent[];
  /** Whether it hung up before the end. */
  readonly left: boolean;
}

/** Posts a run and reads its events, perhaps not to the end. */
export function post(url: string, who: string, input: RunAgentInput, leaving: Leaving): Promise<Answer> {
  const { afterBytes = Number.POSITIVE_INFINITY, afterMs } = leaving;
  return new Promise((resolve) => {
    const pieces: string[] = [];
    let bytes = 0;
    let left = false;
    let ended = false;
    const leave = (): void => {
      left = !ended;
      sent.destroy();
    };
    const headers = { 'content-type': 'application/json', [WHO]: who };
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > afterBytes) leave();
      });
      response.on('end', () => {
        ended = true;
      });
      response.on('error', () => undefined);
    });
    const timer = afterMs === undefined ? undefined : setTimeout(leave, afterMs);
    sent.on('error', () => undefined);
    sent.on('close', () => {
      clearTimeout(timer);
      resolve({ events: eventsIn(pieces.join('')), left });
    });
    sent.end(JSON.stringify(input));
  });
}

/** The events that came whole. */
function eventsIn(text: string): BaseEvent[] {
  const frames = text.split('\n\n').slice(0, -1);
  return frames.filter((frame) => frame.startsWith('data: ')).map((frame) => JSON.parse(frame.slice(6)));
}
