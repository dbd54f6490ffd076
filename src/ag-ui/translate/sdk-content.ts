import { Buffer } from 'node:buffer';
import type { ContentBlock, ToolResultContent, Usage } from '@strands-agents/sdk';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { ResultPart, TranslatorInput, UsageSample } from './input.ts';

/** The blocks of a tool result. Media say what they are; their bytes are the model's and stay here. */
export function resultParts(content: readonly ToolResultContent[]): readonly ResultPart[] {
  return content.map(resultPart);
}

function resultPart(block: ToolResultContent): ResultPart {
  switch (block.type) {
    case 'textBlock':
      return { type: 'text', text: block.text };
    case 'jsonBlock':
      return { type: 'json', json: block.json };
    case 'imageBlock':
      return { type: 'media', kind: 'image' };
    case 'videoBlock':
      return { type: 'media', kind: 'video' };
    case 'documentBlock':
      return { type: 'media', kind: 'document' };
    default:
      block satisfies never;
      return { type: 'media', kind: 'unknown' };
  }
}

/** The text of a block that carries some, such as cited text. */
export function blockText(block: ContentBlock): string {
  if (block.type === 'textBlock') return block.text;
  if (block.type === 'citationsBlock') return block.content.map((part) => part.text).join('');
  return '';
}

/** Thinking, as a piece or as a whole block. Its signature is for the provider only. */
export interface Thought {
  readonly text?: string | undefined;
  readonly redactedContent?: Uint8Array | undefined;
}

export function thoughtInputs({ text, redactedContent }: Thought): readonly TranslatorInput[] {
  const inputs: TranslatorInput[] = [];
  if (text) inputs.push({ type: 'reasoning', text });
  if (redactedContent?.length) inputs.push({ type: 'redacted', data: base64(redactedContent) });
  return inputs;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Reasons that a person should see, as the wire spells them. */
const UNUSUAL_STOPS: ReadonlyMap<string, string> = new Map([
  ['guardrailIntervened', 'guardrail_intervened'],
  ['contentFiltered', 'content_filtered'],
]);

export function stopInputs(stopReason: string): readonly TranslatorInput[] {
  const reason = UNUSUAL_STOPS.get(stopReason);
  return reason === undefined ? [] : [{ type: 'stopped', reason }];
}

/**
 * Providers count tokens of a cache inside the prompt or beside it; the sums tell which. The protocol wants them
 * inside.
 */
export function usageSample(usage: Usage): UsageSample {
  const { inputTokens, outputTokens, totalTokens, cacheReadInputTokens, cacheWriteInputTokens } = usage;
  const beside =
    inputTokens + outputTokens === totalTokens ? 0 : (cacheReadInputTokens ?? 0) + (cacheWriteInputTokens ?? 0);
  const prompt = inputTokens + beside;
  return {
    inputTokens: prompt,
    outputTokens,
    totalTokens: prompt + outputTokens,
    ...(cacheReadInputTokens !== undefined && { cachedInputTokens: cacheReadInputTokens }),
    ...(cacheWriteInputTokens !== undefined && { cacheWriteInputTokens }),
  };
}

const PRIVATE_KEYS: ReadonlySet<string> = new Set(['agent', 'invocationState', 'requestState']);

/** An event as strict JSON, without what belongs to the server; `undefined` when it is not JSON. */
export function rawJson(event: object): JSONValue | undefined {
  const shown = Object.entries(event).filter(([key, value]) => !PRIVATE_KEYS.has(key) && value !== undefined);
  try {
    return sealJson(Object.fromEntries(shown));
  } catch {
    return undefined;
  }
}
