import type { AgentStreamEvent, ContentBlock, ContentBlockDelta, Message, ModelStreamEvent } from '@strands-agents/sdk';
import type { MultiAgentStreamEvent } from '@strands-agents/sdk/multiagent';
import type { TranslatorInput } from './input.ts';
import type { Piece } from './piece.ts';
import {
  blockText,
  rawJson,
  resultParts,
  stopInputs,
  type Thought,
  thoughtInputs,
  usageSample,
} from './sdk-content.ts';
import type { LifecycleEvent, StrandsEvent } from './sdk-events.ts';
import { nodeInputs } from './sdk-nodes.ts';

/** Reads the events of one stream, one after the other; it remembers what came before. */
export interface InputReader {
  /** What an event means. */
  read(event: StrandsEvent): readonly TranslatorInput[];
  /** The piece that an event is, if it is nothing else: the short way for nearly all of them. `read` reads it once more. */
  readPiece(event: StrandsEvent): Piece | undefined;
}

const NONE: readonly TranslatorInput[] = [];

/**
 * Makes a reader for one stream.
 *
 * @param warn - Told of events that cannot be shown because they are not JSON.
 */
export function createInputReader(warn: (message: string) => void): InputReader {
  return new Reader(warn);
}

class Reader implements InputReader {
  readonly #warn: (message: string) => void;
  /** Whether the model's message has begun and not ended. */
  #inMessage = false;
  /** The call whose block is being streamed. */
  #openCall: string | undefined;
  /** Calls that were streamed and whose assembled block is to come. */
  readonly #unmatched = new Set<string>();
  /** Calls that were told since the last batch of tools. */
  readonly #batch = new Set<string>();
  readonly #running = new Set<string>();
  /** Whether this block's words came piece by piece, so that its assembled block says nothing new. */
  #textStreamed = false;
  #thoughtStreamed = false;
  /** Whether anything of this model call was told. */
  #told = false;
  /** Whether a hook has announced an answer of its own. */
  #hookAnswers = false;
  #modelId: string | undefined;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  readPiece(event: StrandsEvent): Piece | undefined {
    if (event.type !== 'modelStreamUpdateEvent' || event.event.type !== 'modelContentBlockDeltaEvent') return undefined;
    const { delta } = event.event;
    if (delta.type === 'toolUseInputDelta') {
      return delta.input === '' ? undefined : { type: 'tool_args', delta: delta.input };
    }
    return delta.type === 'textDelta' ? this.#readText(delta.text) : undefined;
  }

  read(event: StrandsEvent): readonly TranslatorInput[] {
    switch (event.type) {
      case 'modelStreamUpdateEvent':
        return this.#readModel(event.event);
      case 'contentBlockEvent':
        return this.#readBlock(event.contentBlock);
      case 'toolStreamUpdateEvent':
        return this.#readProgress(event.event.data);
      case 'toolStreamEvent':
        return this.#readProgress(event.data);
      case 'modelMessageStartEvent':
      case 'modelContentBlockStartEvent':
      case 'modelContentBlockDeltaEvent':
      case 'modelContentBlockStopEvent':
      case 'modelMessageStopEvent':
      case 'modelMetadataEvent':
      case 'modelRedactionEvent':
        return this.#readModel(event);
      case 'textBlock':
      case 'toolUseBlock':
      case 'reasoningBlock':
      case 'citationsBlock':
        return this.#readBlock(event);
      case 'toolResultEvent': {
        const { toolUseId, status, content } = event.result;
        this.#running.delete(toolUseId);
        return [{ type: 'tool_result', toolUseId, status, content: resultParts(content) }];
      }
      default:
        return this.#readLifecycle(event);
    }
  }

  #readModel(event: ModelStreamEvent): readonly TranslatorInput[] {
    switch (event.type) {
      case 'modelContentBlockDeltaEvent':
        return this.#readDelta(event.delta, event);
      case 'modelMessageStartEvent':
        return this.#startMessage();
      case 'modelContentBlockStartEvent':
        this.#textStreamed = false;
        this.#thoughtStreamed = false;
        return event.start === undefined ? NONE : this.#startCall(event.start);
      case 'modelContentBlockStopEvent':
        this.#openCall = undefined;
        return [{ type: 'block_stop' }];
      case 'modelMessageStopEvent':
        this.#inMessage = false;
        return stopInputs(event.stopReason);
      case 'modelMetadataEvent': {
        const { usage } = event;
        return usage === undefined ? NONE : [{ type: 'usage', usage: usageSample(usage), model: this.#modelId }];
      }
      default:
        return this.#raw(event);
    }
  }

  #startMessage(): readonly TranslatorInput[] {
    const brokenOff = this.#inMessage;
    this.#inMessage = true;
    this.#openCall = undefined;
    this.#unmatched.clear();
    return [{ type: 'message_start', brokenOff }];
  }

  #readDelta(delta: ContentBlockDelta, event: ModelStreamEvent): readonly TranslatorInput[] {
    switch (delta.type) {
      case 'textDelta': {
        const piece = this.#readText(delta.text);
        return piece === undefined ? NONE : [piece];
      }
      case 'toolUseInputDelta':
        return [{ type: 'tool_args', delta: delta.input }];
      case 'reasoningContentDelta':
        return this.#readThought(delta);
      default:
        return this.#raw(event);
    }
  }

  #readText(text: string): Piece | undefined {
    if (text === '') return undefined;
    this.#textStreamed = true;
    this.#told = true;
    return { type: 'text', text };
  }

  #readThought(thought: Thought): readonly TranslatorInput[] {
    const inputs = thoughtInputs(thought);
    if (inputs.length > 0) this.#thoughtStreamed = true;
    return inputs;
  }

  #startCall(start: { readonly name: string; readonly toolUseId: string }): readonly TranslatorInput[] {
    const { name, toolUseId } = start;
    this.#openCall = toolUseId;
    this.#unmatched.add(toolUseId);
    this.#batch.add(toolUseId);
    this.#told = true;
    return [{ type: 'tool_start', toolUseId, name }];
  }

  /** An assembled block says something new only when a provider does not stream. */
  #readBlock(block: ContentBlock): readonly TranslatorInput[] {
    switch (block.type) {
      case 'textBlock':
      case 'citationsBlock': {
        const text = this.#textStreamed ? '' : blockText(block);
        this.#textStreamed = false;
        if (text === '') return NONE;
        this.#told = true;
        return [{ type: 'text', text }];
      }
      case 'reasoningBlock': {
        const thought = this.#thoughtStreamed ? NONE : this.#readThought(block);
        this.#thoughtStreamed = false;
        return thought.length === 0 ? NONE : [...thought, { type: 'block_stop' }];
      }
      case 'toolUseBlock':
        return this.#readCallBlock(block);
      default:
        return NONE;
    }
  }

  #readCallBlock(block: {
    readonly name: string;
    readonly toolUseId: string;
    readonly input: unknown;
  }): readonly TranslatorInput[] {
    const { name, toolUseId, input } = block;
    if (!this.#unmatched.delete(toolUseId)) {
      this.#batch.add(toolUseId);
      this.#told = true;
      return [{ type: 'tool_use', toolUseId, name, input }];
    }
    if (this.#openCall !== toolUseId) return NONE;
    this.#openCall = undefined;
    return [{ type: 'block_stop' }];
  }

  /** The SDK does not say whose report it is; with one tool running there is no doubt. */
  #readProgress(data: unknown): readonly TranslatorInput[] {
    const [only] = this.#running;
    return [{ type: 'tool_progress', toolUseId: this.#running.size === 1 ? only : undefined, data }];
  }

  #readLifecycle(event: LifecycleEvent): readonly TranslatorInput[] {
    switch (event.type) {
      case 'beforeInvocationEvent':
        this.#hookAnswers = Boolean(event.cancel);
        return NONE;
      case 'beforeModelCallEvent':
        this.#modelId = event.model?.modelId;
        this.#told = false;
        return NONE;
      case 'modelMessageEvent':
        return this.#readUntold(event.message);
      case 'afterModelCallEvent':
        return event.stopData === undefined || event.retry ? NONE : this.#readUntold(event.stopData.message);
      case 'messageAddedEvent':
        return this.#readAnswerOfHook(event.message);
      case 'beforeToolsEvent':
        return this.#readBatch(event.message);
      case 'beforeToolCallEvent':
        this.#running.add(event.toolUse.toolUseId);
        return NONE;
      case 'afterToolCallEvent':
        this.#running.delete(event.toolUse.toolUseId);
        return NONE;
      case 'afterToolsEvent':
        this.#hookAnswers = Boolean(event.endTurn);
        this.#batch.clear();
        this.#running.clear();
        return [{ type: 'tools_done' }];
      case 'afterInvocationEvent':
      case 'interruptEvent':
      case 'agentResultEvent':
        return NONE;
      default:
        return this.#readNode(event);
    }
  }

  /** A message that never was streamed, such as one that middleware or a hook put in the model's place. */
  #readUntold(message: Message): readonly TranslatorInput[] {
    if (this.#told) return NONE;
    const inputs = message.content.flatMap((block) => this.#readBlock(block));
    this.#told = true;
    return inputs;
  }

  #readAnswerOfHook(message: Message): readonly TranslatorInput[] {
    if (!this.#hookAnswers || message.role !== 'assistant' || hasCall(message)) return NONE;
    this.#hookAnswers = false;
    this.#textStreamed = false;
    return [{ type: 'message_start', brokenOff: false }, ...message.content.flatMap((block) => this.#readBlock(block))];
  }

  #readBatch(message: Message): readonly TranslatorInput[] {
    return message.content.flatMap((block) => {
      if (block.type !== 'toolUseBlock' || this.#batch.has(block.toolUseId)) return [];
      this.#batch.add(block.toolUseId);
      return [{ type: 'tool_pending', toolUseId: block.toolUseId, name: block.name, input: block.input }];
    });
  }

  #readNode(event: MultiAgentStreamEvent): readonly TranslatorInput[] {
    if (event.type === 'nodeStreamUpdateEvent') {
      return event.inner.source === 'agent' ? this.#readNodeWords(event.inner.event) : NONE;
    }
    return nodeInputs(event) ?? this.#raw(event);
  }

  /** Of a node's own stream only its words are shown. */
  #readNodeWords(event: AgentStreamEvent): readonly TranslatorInput[] {
    if (event.type !== 'modelStreamUpdateEvent' || event.event.type !== 'modelContentBlockDeltaEvent') return NONE;
    const { delta } = event.event;
    return delta.type === 'toolUseInputDelta' ? NONE : this.#readDelta(delta, event.event);
  }

  #raw(event: { readonly type: string }): readonly TranslatorInput[] {
    const json = rawJson(event);
    if (json !== undefined) return [{ type: 'raw', event: json }];
    this.#warn(`an event of type '${event.type}' is not JSON and was not passed on`);
    return NONE;
  }
}

function hasCall(message: Message): boolean {
  return message.content.some((block) => block.type === 'toolUseBlock');
}
