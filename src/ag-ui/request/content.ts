import type { Message } from '@ag-ui/core';
import type { TextBlockData } from '@strands-agents/sdk';
import { consoleLogger } from '../../core/platform.ts';
import type { Logger } from '../config.ts';

/** What a message of any role may hold. */
export type AguiContent = Message['content'] | null;

/** The content of a message: its text, and the kinds of what is no text, in order. */
export interface ReadContent {
  readonly text: string;
  readonly media: readonly string[];
}

/** Tells text from media. Text parts are joined by spaces. */
export function readContent(content: unknown): ReadContent {
  if (typeof content === 'string') return { text: content.toWellFormed(), media: [] };
  if (!Array.isArray(content)) return { text: '', media: [] };
  const texts: string[] = [];
  const media: string[] = [];
  for (const part of content) {
    const text = textOfPart(part);
    if (text === undefined) media.push(kindOfPart(part));
    else if (text !== '') texts.push(text.toWellFormed());
  }
  return { text: texts.join(' '), media };
}

/** The text of a message, or the kinds of its media in brackets when it has none. */
export function textOrKinds({ text, media }: ReadContent): string {
  return text === '' ? media.map((kind) => `[${kind}]`).join(' ') : text;
}

/** The text of a message's content; media are left out. */
export function flattenContentToText(content: AguiContent | undefined): string {
  return readContent(content).text;
}

/**
 * A message's content as blocks for the agent. Only text reaches the model so far; what is left out is named in a
 * warning.
 */
export function convertAguiContentToStrands(
  content: AguiContent | undefined,
  log: Logger = consoleLogger,
): TextBlockData[] {
  const { text, media } = readContent(content);
  if (media.length > 0) log.warn(`Only text reaches the model; left out: ${media.join(', ')}`);
  return text === '' ? [] : [{ text }];
}

function textOfPart(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'text') return undefined;
  return 'text' in part && typeof part.text === 'string' ? part.text : '';
}

/** Kinds are named in errors and warnings, so only known words come out of here. */
function kindOfPart(part: unknown): string {
  if (typeof part !== 'object' || part === null || !('type' in part)) return 'unknown part';
  const { type } = part;
  if (type === 'image' || type === 'audio' || type === 'video' || type === 'document') return type;
  if (type !== 'binary') return 'unknown part';
  const mimeType = 'mimeType' in part && typeof part.mimeType === 'string' ? part.mimeType : '';
  return /^(image|audio|video)\//.exec(mimeType)?.[1] ?? 'document';
}
