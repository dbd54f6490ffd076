import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BaseModelConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  type StreamOptions,
  type ToolSpec,
} from '@strands-agents/sdk';
import type { Language } from '../../../core/i18n.ts';
import { offeredTool } from './offered-tools.ts';
import type { ToolHint } from './phrasebook.ts';
import { nextStep, type Step } from './planner.ts';
import { planRequest } from './request.ts';
import { readConversation } from './turn.ts';

/** The tools of the demo world, for which the model has sentences of its own. */
const KNOWN: ReadonlySet<string> = new Set([
  'read_thermostat',
  'set_thermostat',
  'read_lock',
  'unlock_door',
  'lock_door',
  'read_notes',
  'add_note',
  'delete_notes',
  'run_shell',
]);

/** How the demo model answers. */
export interface DemoModelOptions {
  /** Of a user whose words do not tell; default `en`. */
  readonly language?: Language;
  /** Pause before the first word, in milliseconds; default none. */
  readonly thinkMs?: number;
  /** Pause after each word, in milliseconds; default none. */
  readonly wordMs?: number;
}

/**
 * A model without a network: it understands plain English and Turkish sentences about the demo world, and asks for
 * any other tool that is called by its name. The same conversation always gives the same answer.
 */
export class DemoModel extends Model<BaseModelConfig> {
  readonly #options: DemoModelOptions;
  #config: BaseModelConfig = { modelId: 'tau-demo', contextWindowLimit: 200_000 };

  constructor(options: DemoModelOptions = {}) {
    super();
    this.#options = options;
  }

  override updateConfig(config: BaseModelConfig): void {
    this.#config = { ...this.#config, ...config };
  }

  override getConfig(): BaseModelConfig {
    return this.#config;
  }

  override async *stream(messages: Message[], options: StreamOptions = {}): AsyncGenerator<ModelStreamEvent> {
    const started = performance.now();
    const step = this.#decide(messages, options.toolSpecs ?? []);
    const signal = options.cancelSignal;
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    await pause(this.#options.thinkMs, signal);
    const written = signal?.aborted ? yield* said('', undefined, signal) : yield* this.#perform(step, messages, signal);
    yield {
      type: 'modelMessageStopEvent',
      stopReason: step.kind === 'call' && !signal?.aborted ? 'toolUse' : 'endTurn',
    };
    const inputTokens = await this.countTokens(messages);
    const outputTokens = Math.ceil(written.length / 4);
    yield {
      type: 'modelMetadataEvent',
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      metrics: { latencyMs: Math.round(performance.now() - started) },
    };
  }

  #decide(messages: readonly Message[], specs: readonly ToolSpec[]): Step {
    const hints: readonly ToolHint[] = specs.map(({ name, description }) => ({
      name,
      description,
      known: KNOWN.has(name),
    }));
    const unknown = specs.filter(({ name }) => !KNOWN.has(name)).map(offeredTool);
    const { exchanges, calls } = readConversation(messages);
    return nextStep(planRequest(exchanges, unknown, this.#options.language ?? 'en'), calls, hints);
  }

  /** Emits one content block; returns what it wrote. */
  #perform(
    step: Step,
    messages: readonly Message[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<ModelStreamEvent, string> {
    return step.kind === 'call'
      ? called(step, `demo-${messages.length}`)
      : said(step.text, this.#options.wordMs, signal);
  }
}

async function* called(
  { tool, input }: Extract<Step, { kind: 'call' }>,
  toolUseId: string,
): AsyncGenerator<ModelStreamEvent, string> {
  const written = JSON.stringify(input);
  yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name: tool, toolUseId } };
  yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: written } };
  yield { type: 'modelContentBlockStopEvent' };
  return written;
}

async function* said(
  text: string,
  wordMs: number | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<ModelStreamEvent, string> {
  let written = '';
  yield { type: 'modelContentBlockStartEvent' };
  for (const word of text.match(/\s*\S+\s*/g) ?? []) {
    if (signal?.aborted) break;
    written += word;
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: word } };
    await pause(wordMs, signal);
  }
  yield { type: 'modelContentBlockStopEvent' };
  return written;
}

/** Waits, or not when there is nothing to wait for; a cancellation ends the wait early. */
async function pause(milliseconds: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds === undefined || milliseconds <= 0 || signal?.aborted) return;
  await sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
}
