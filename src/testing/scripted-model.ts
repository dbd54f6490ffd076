import {
  type BaseModelConfig,
  type Message,
  type MessageData,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
  type SystemPrompt,
  type ToolChoice,
  type ToolSpec,
} from '@strands-agents/sdk';
import type { ScriptedTurn, TurnFunction } from './scripted-turn.ts';
import { streamTurn } from './stream-turn.ts';

/** What the agent sent with one call of the model; deep copies, so later changes do not show. */
export interface ModelCall {
  readonly messages: readonly MessageData[];
  readonly toolSpecs: readonly ToolSpec[];
  readonly systemPrompt: SystemPrompt | undefined;
  readonly toolChoice: ToolChoice | undefined;
}

const ENDED: ScriptedTurn = [{ text: '(script ended)' }];

/**
 * A model for tests: answers from a script through the SDK's own streaming, so the real agent loop runs. When the
 * script is used up, it answers `(script ended)` and asks for no tool.
 *
 * @example
 * ```ts
 * const model = new ScriptedModel([
 *   [{ toolUse: { name: 'unlock_door', input: { door: 'front' } } }],
 *   [{ text: 'The door is open.' }],
 * ]);
 * const agent = await buildAgent({ model, tools, approver: new ScriptedApprover(['approved']) });
 * // … one turn …
 * expect(model.offered).toEqual([['unlock_door'], ['unlock_door']]);
 * ```
 */
export class ScriptedModel extends Model<BaseModelConfig> {
  #config: BaseModelConfig = { modelId: 'scripted', contextWindowLimit: 200_000 };
  readonly #turns: readonly (ScriptedTurn | TurnFunction)[];
  readonly #calls: ModelCall[] = [];
  #toolUses = 0;

  /** @param turns - The answers, first to last; each is given once. */
  constructor(turns: readonly (ScriptedTurn | TurnFunction)[]) {
    super();
    this.#turns = [...turns];
  }

  /** Every call of the model, in order. */
  get calls(): readonly ModelCall[] {
    return [...this.#calls];
  }

  /** The names of the tools that were offered, one list for each call. */
  get offered(): readonly (readonly string[])[] {
    return this.#calls.map((call) => call.toolSpecs.map((spec) => spec.name));
  }

  override updateConfig(config: BaseModelConfig): void {
    this.#config = { ...this.#config, ...config };
  }

  override getConfig(): BaseModelConfig {
    return this.#config;
  }

  override async *stream(messages: Message[], options: StreamOptions = {}): AsyncGenerator<ModelStreamEvent> {
    const turn = this.#turns[this.#calls.length] ?? ENDED;
    this.#calls.push(record(messages, options));
    const { cancelSignal } = options;
    cancelSignal?.throwIfAborted();
    const answer = typeof turn === 'function' ? await unlessAborted(() => turn(messages, options), cancelSignal) : turn;
    if (answer instanceof Error) throw answer;
    for (const event of streamTurn(answer, () => `tooluse_${++this.#toolUses}`)) {
      cancelSignal?.throwIfAborted();
      yield event;
    }
  }
}

function record(messages: readonly Message[], options: StreamOptions): ModelCall {
  return {
    messages: messages.map((message) => structuredClone(message.toJSON())),
    toolSpecs: structuredClone(options.toolSpecs ?? []),
    systemPrompt: copyPrompt(options.systemPrompt),
    toolChoice: structuredClone(options.toolChoice),
  };
}

/** Blocks of a prompt are class instances; a shallow copy of the list keeps them readable by type. */
function copyPrompt(prompt: SystemPrompt | undefined): SystemPrompt | undefined {
  return Array.isArray(prompt) ? [...prompt] : prompt;
}

/** A turn that waits ends when the agent is cancelled, as a request to a provider would. */
async function unlessAborted<T>(make: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return make();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([make(), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
