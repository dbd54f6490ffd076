import type { BaseEvent } from '@ag-ui/core';
import { Agent, type Tool, tool } from '@strands-agents/sdk';
import { ScriptedModel, type ScriptedTurn, type TurnFunction } from 'strands-tau/testing';
import { z } from 'zod';
import type { EventStream } from '../../src/ag-ui/translate/event-stream.ts';
import type { TranslationEnd } from '../../src/ag-ui/translate/translation-end.ts';
import { translate } from '../../src/ag-ui/translate/translator.ts';
import { type OptionsPart, translateOptions } from './translate.ts';

/** A server tool that reports state before its result. */
export const look: Tool = tool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.string().optional() }),
  callback: async function* (input) {
    yield { state: { looking: true } };
    return `looked at ${input.at ?? 'nothing'}`;
  },
});
/** The stand-in of a client tool. */
const ask = tool({
  name: 'ask',
  description: 'Asks.',
  inputSchema: z.object({}),
  callback: () => 'Forwarded to client',
});

/** A turn that is one call. */
export const use = (name: string, input = {}, toolUseId?: string): ScriptedTurn => [
  { toolUse: { name, input, ...(toolUseId !== undefined && { toolUseId }) } },
];

/** What a run gave. */
export interface Ran {
  readonly agent: Agent;
  readonly events: readonly BaseEvent[];
  readonly end: TranslationEnd;
}

/** Runs a real agent by a script and translates its stream. */
export async function run(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  part: OptionsPart = {},
  tools: Tool[] = [look, ask],
): Promise<Ran> {
  const agent = new Agent({ model: new ScriptedModel(turns), tools, printer: false });
  return { agent, ...(await drain(translate(agent.stream('hi'), translateOptions(part)))) };
}

/** The events of a translation as an async generator. */
export async function* eventsOf(stream: EventStream): AsyncGenerator<BaseEvent, TranslationEnd, undefined> {
  let over = false;
  try {
    for (;;) {
      const event = await nextOf(stream);
      over = event === undefined;
      if (event === undefined) return await stream.ended;
      yield event;
    }
  } finally {
    if (!over) await stream.leave();
  }
}

/** The next event; `undefined` at the end. */
function nextOf(stream: EventStream): Promise<BaseEvent | undefined> {
  return new Promise((resolve) => stream.pull({ take: resolve, over: () => resolve(undefined) }));
}

/** Everything a translation gives. */
export async function drain(stream: EventStream): Promise<{ events: readonly BaseEvent[]; end: TranslationEnd }> {
  const events: BaseEvent[] = [];
  for (let next = await nextOf(stream); next !== undefined; next = await nextOf(stream)) events.push(next);
  return { events, end: await stream.ended };
}

/** The events of some types. */
export const of = (events: readonly BaseEvent[], ...types: string[]): readonly BaseEvent[] =>
  events.filter(({ type }) => types.includes(type));
/** The states that were shown. */
export const states = (events: readonly BaseEvent[]): readonly unknown[] =>
  of(events, 'STATE_SNAPSHOT').map(({ snapshot }) => snapshot);
