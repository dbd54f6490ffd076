import { type BaseModelConfig, type Message, Model, type ModelStreamEvent } from '@strands-agents/sdk';

const INPUT = JSON.stringify({ a: 7, text: 'lamp in the hall' });

/**
 * A model that costs next to nothing: it answers a prompt with the tool calls of one message, made before anything is
 * measured, and tool results with one word.
 */
export class RepeatingModel extends Model<BaseModelConfig> {
  readonly #turns: readonly (readonly ModelStreamEvent[])[];
  #turn = 0;

  constructor(options: { readonly tool: string; readonly turns: number; readonly callsPerTurn: number }) {
    super();
    const { tool, turns, callsPerTurn } = options;
    this.#turns = Array.from({ length: turns }, (_, turn) => toolCalls(tool, turn, callsPerTurn));
  }

  override updateConfig(): void {}

  override getConfig(): BaseModelConfig {
    return { modelId: 'repeating', contextWindowLimit: 200_000 };
  }

  override async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    const answered = messages.at(-1)?.content[0]?.type === 'toolResultBlock';
    yield* answered ? DONE : (this.#turns[this.#turn++] ?? DONE);
  }
}

function toolCalls(name: string, turn: number, calls: number): readonly ModelStreamEvent[] {
  return [
    { type: 'modelMessageStartEvent', role: 'assistant' },
    ...Array.from({ length: calls }, (_, call) => toolCall(name, `use_${turn}_${call}`)).flat(),
    { type: 'modelMessageStopEvent', stopReason: 'toolUse' },
  ];
}

function toolCall(name: string, toolUseId: string): ModelStreamEvent[] {
  return [
    { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId } },
    { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: INPUT } },
    { type: 'modelContentBlockStopEvent' },
  ];
}

const DONE: readonly ModelStreamEvent[] = [
  { type: 'modelMessageStartEvent', role: 'assistant' },
  { type: 'modelContentBlockStartEvent' },
  { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'Done' } },
  { type: 'modelContentBlockStopEvent' },
  { type: 'modelMessageStopEvent', stopReason: 'endTurn' },
];
