import { setTimeout as pause } from 'node:timers/promises';
import type { Message, ModelStreamEvent, StreamOptions } from '@strands-agents/sdk';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';

/** Far more answers than any test asks for. */
const MANY = 1000;

/** A model that answers to what was said last, so that every conversation of a hub can be had with it. */
export class HouseModel extends ScriptedModel {
  constructor() {
    super(Array.from({ length: MANY }, () => answer));
  }

  override async *stream(messages: Message[], options: StreamOptions = {}): AsyncGenerator<ModelStreamEvent> {
    if (said(messages).includes('slow')) yield* slowly(options.cancelSignal);
    else yield* super.stream(messages, options);
  }
}

function answer(messages: readonly Message[]): ScriptedTurn {
  const text = said(messages);
  const result = resultOf(messages.at(-1));
  if (text.includes('fail')) return new Error('secret of the provider: key 4711');
  if (text.includes('no text')) return result === undefined ? [unlockNothing] : [{ text: 'The house cannot do that.' }];
  if (text.includes('unlock')) {
    if (result === undefined) return [{ text: 'I will unlock the front door.' }, unlockFront];
    return [{ text: result.includes('unlocked') ? 'The front door is now unlocked.' : 'I did not unlock the door.' }];
  }
  if (text.includes('warm')) {
    if (result !== undefined) return [{ text: 'It is 19.5 °C in the hall.' }];
    return [{ reasoning: 'I look at the thermostat first.' }, readThermostat];
  }
  return [{ text: 'I only know this house.' }];
}

const unlockFront = { toolUse: { name: 'unlock_door', input: { door: 'front' } } } as const;
const unlockNothing = { toolUse: { name: 'unlock_door', input: { door: 7 } } } as const;
const readThermostat = { toolUse: { name: 'read_thermostat', input: { room: 'hall' } } } as const;

/** What the person said last. */
function said(messages: readonly Message[]): string {
  const texts = messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content.map((block) => ('text' in block ? String(block.text) : '')).join(''))
    .filter((text) => text !== '');
  return texts.at(-1) ?? '';
}

/** The results that came last, as text; `undefined` when somebody spoke since. */
function resultOf(message: Message | undefined): string | undefined {
  const results = message?.content.filter(({ type }) => type === 'toolResultBlock') ?? [];
  return results.length === 0 ? undefined : JSON.stringify(results);
}

async function* slowly(signal: AbortSignal | undefined): AsyncGenerator<ModelStreamEvent> {
  yield { type: 'modelMessageStartEvent', role: 'assistant' };
  yield { type: 'modelContentBlockStartEvent' };
  for (let i = 0; i < 1000 && signal?.aborted !== true; i += 1) {
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: `word${i} ` } };
    await pause(50);
  }
  yield { type: 'modelContentBlockStopEvent' };
  yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
}
