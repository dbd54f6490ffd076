import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
} from '@strands-agents/sdk';
import { type Call, type Finished, plan, report } from './sentences.ts';

const WORD_MS = 15;

/**
 * Stands in for a model of yours, such as BedrockModel or OpenAIModel of the Strands SDK: needs no key and no network,
 * understands a few sentences about the house, and always gives the same answer to the same conversation.
 */
export class HouseModel extends Model<BaseModelConfig> {
  #config: BaseModelConfig = { modelId: 'house', contextWindowLimit: 200_000 };

  override updateConfig(config: BaseModelConfig): void {
    this.#config = { ...this.#config, ...config };
  }

  override getConfig(): BaseModelConfig {
    return this.#config;
  }

  override async *stream(messages: Message[], { cancelSignal }: StreamOptions = {}): AsyncGenerator<ModelStreamEvent> {
    const finished = finishedCalls(messages);
    const { text, calls } = finished.length > 0 ? { text: report(finished), calls: [] } : plan(lastRequest(messages));
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    yield* said(text, cancelSignal);
    for (const [position, call] of calls.entries()) yield* called(call, `house-${messages.length}-${position}`);
    yield { type: 'modelMessageStopEvent', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' };
  }
}

async function* said(text: string, signal: AbortSignal | undefined): AsyncGenerator<ModelStreamEvent> {
  yield { type: 'modelContentBlockStartEvent' };
  for (const word of text.match(/\S+\s*/g) ?? []) {
    signal?.throwIfAborted();
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: word } };
    await sleep(WORD_MS);
  }
  yield { type: 'modelContentBlockStopEvent' };
}

function* called({ name, input }: Call, toolUseId: string): Generator<ModelStreamEvent> {
  yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId } };
  yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: JSON.stringify(input) } };
  yield { type: 'modelContentBlockStopEvent' };
}

/**
 * The results that the newest message brings, each with its call. None when the person says something in it: a result
 * that the client never got comes along with their next request.
 */
function finishedCalls(messages: readonly Message[]): readonly Finished[] {
  if (lastRequest(messages) !== '') return [];
  const uses = messages.flatMap(({ content }) => content.filter((block) => block.type === 'toolUseBlock'));
  const results = (messages.at(-1)?.content ?? []).filter((block) => block.type === 'toolResultBlock');
  return results.flatMap(({ toolUseId, status, content }) => {
    const use = uses.findLast((block) => block.toolUseId === toolUseId);
    return use === undefined
      ? []
      : [{ name: use.name, input: use.input, ok: status === 'success', text: textOf(content) }];
  });
}

function lastRequest(messages: readonly Message[]): string {
  return textOf(messages.at(-1)?.content ?? []);
}

function textOf(content: readonly object[]): string {
  return content.flatMap((block) => ('text' in block && typeof block.text === 'string' ? [block.text] : [])).join('\n');
}
