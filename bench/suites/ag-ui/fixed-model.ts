import type { BaseModelConfig, Message, Model, ModelStreamEvent } from '@strands-agents/sdk';

/** The SDK, or a second copy of it: a class of one copy is none of the other's. */
export type Sdk = typeof import('@strands-agents/sdk');

/** What the model says to a history. It must not cost anything: whatever it yields is made before it is measured. */
export type Reply = (messages: readonly Message[]) => Iterable<ModelStreamEvent> | AsyncIterable<ModelStreamEvent>;

/** A model without state, so that all threads can share it. */
export function fixedModel(sdk: Pick<Sdk, 'Model'>, reply: Reply): Model<BaseModelConfig> {
  return new (class extends sdk.Model<BaseModelConfig> {
    override updateConfig(): void {}

    override getConfig(): BaseModelConfig {
      return { modelId: 'fixed', contextWindowLimit: 200_000 };
    }

    override async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
      yield* reply(messages);
    }
  })();
}

/** A text in pieces. */
export function saying(...deltas: readonly string[]): readonly ModelStreamEvent[] {
  return [
    { type: 'modelMessageStartEvent', role: 'assistant' },
    { type: 'modelContentBlockStartEvent' },
    ...deltas.map((text) => ({ type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } }) as const),
    { type: 'modelContentBlockStopEvent' },
    { type: 'modelMessageStopEvent', stopReason: 'endTurn' },
  ];
}

/** One call, its arguments in pieces. */
export function calling(name: string, toolUseId: string, pieces: readonly string[]): readonly ModelStreamEvent[] {
  return [
    { type: 'modelMessageStartEvent', role: 'assistant' },
    { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId } },
    ...pieces.map(
      (input) => ({ type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } }) as const,
    ),
    { type: 'modelContentBlockStopEvent' },
    { type: 'modelMessageStopEvent', stopReason: 'toolUse' },
  ];
}

/** The answer to whatever needs none in particular. */
export const DONE: readonly ModelStreamEvent[] = saying('Done');

/** The text that a history ends with; empty when it ends with results. */
export function lastText(messages: readonly Message[]): string {
  const block = messages.at(-1)?.content.at(-1);
  return block?.type === 'textBlock' ? block.text : '';
}

/** How many results have come since somebody last spoke. */
export function resultsSince(messages: readonly Message[]): number {
  const spoke = messages.findLastIndex(({ role, content }) => role === 'user' && content[0]?.type === 'textBlock');
  return messages.slice(spoke + 1).filter(({ content }) => content[0]?.type === 'toolResultBlock').length;
}
