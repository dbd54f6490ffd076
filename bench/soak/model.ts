import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises';
import { type BaseModelConfig, type Message, Model, type ModelStreamEvent } from '@strands-agents/sdk';
import { lastText } from '../suites/ag-ui/fixed-model.ts';

/** What a visitor can ask for: the tools that the model then calls in one message. */
export const WISHES: Readonly<Record<string, readonly string[]>> = {
  talk: [],
  look: ['look'],
  move: ['move'],
  unlock: ['unlock'],
  all: ['look', 'move', 'unlock'],
  doors: ['unlock', 'unlock'],
};

const WORDS = 12;

/** Does what the last prompt says, as `wish key`, and takes a little time over it. */
export class SoakModel extends Model<BaseModelConfig> {
  override updateConfig(): void {}

  override getConfig(): BaseModelConfig {
    return { modelId: 'soak', contextWindowLimit: 200_000 };
  }

  override async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    const [wish = '', key = ''] = lastText(messages).split(' ');
    const tools = WISHES[wish] ?? [];
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    for (const [at, name] of tools.entries()) yield* call(name, `${key}-${at}`);
    if (tools.length === 0) yield* text();
    yield { type: 'modelMessageStopEvent', stopReason: tools.length === 0 ? 'endTurn' : 'toolUse' };
  }
}

async function* call(name: string, key: string): AsyncGenerator<ModelStreamEvent> {
  yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: `use-${key}` } };
  for (const input of ['{"key":', JSON.stringify(key), '}']) {
    await turnOfLoop();
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } };
  }
  yield { type: 'modelContentBlockStopEvent' };
}

async function* text(): AsyncGenerator<ModelStreamEvent> {
  yield { type: 'modelContentBlockStartEvent' };
  for (let word = 0; word < WORDS; word++) {
    await (word % 4 === 0 ? sleep(2) : turnOfLoop());
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'word ' } };
  }
  yield { type: 'modelContentBlockStopEvent' };
}
