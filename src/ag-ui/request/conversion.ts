/** What an application may call by itself to turn a client's messages into an agent's; the bridge does not. */
import type { Message } from '@ag-ui/core';
import { type MessageData, TextBlock } from '@strands-agents/sdk';
import { consoleLogger } from '../../core/platform.ts';
import type { Logger } from '../config.ts';
import { readContent } from './content.ts';
import { replayHistory } from './history.ts';
import { seedOf } from './seed.ts';

/**
 * What was said before the user's last message, as an agent's history; `undefined` when nothing was. Only text gets into
 * it: what is left out is named in a warning.
 *
 * @throws RunError with code `SEED_BUILD_ERROR`
 */
export async function buildStrandsSeed(
  messages: readonly Message[],
  log: Logger = consoleLogger,
): Promise<MessageData[] | undefined> {
  const seed = seedOf({ messages });
  warnOfMedia(messages, log);
  return seed;
}

/** A client's conversation as messages that a model accepts. Only text gets into them, with a warning. */
export async function convertMessagesForStrandsSeed(
  messages: readonly Message[],
  log: Logger = consoleLogger,
): Promise<MessageData[]> {
  warnOfMedia(messages, log);
  return replayHistory(messages).messages;
}

/** A message's content as blocks for the agent. Only text reaches the model; what is left out is named in a warning. */
export async function convertAguiContentToStrands(
  content: Message['content'] | null | undefined,
  log: Logger = consoleLogger,
): Promise<TextBlock[]> {
  const { text, media } = readContent(content);
  warnOf(media, log);
  return text === '' ? [] : [new TextBlock(text)];
}

function warnOfMedia(messages: readonly Message[], log: Logger): void {
  warnOf(
    messages.flatMap(({ role, content }) => (role === 'user' ? readContent(content).media : [])),
    log,
  );
}

function warnOf(media: readonly string[], log: Logger): void {
  if (media.length > 0) log.warn(`Only text reaches the model; left out: ${media.join(', ')}`);
}
