import type { Message, RunAgentInput } from '@ag-ui/core';
import type { ContentBlockData, MessageData } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import type { Logger, StateContextBuilder, ToolCallContextExtras } from '../config.ts';
import { RunError } from '../run-error.ts';
import { type ReadContent, readContent, textOrKinds } from './content.ts';
import { type ContinuationLine, continuationLines, type NameOfCall } from './continuation.ts';
import { replayHistory } from './history.ts';
import { type KnownCalls, NOTHING_KNOWN } from './known-calls.ts';

/** A hook of the application that failed without ending the run; sent as `CUSTOM hook_error`. */
export interface HookError {
  readonly hook: 'stateContextBuilder';
  readonly tool: '__prompt__';
  readonly error: string;
}

/**
 * What the agent is given for a request.
 *
 * | kind | the agent's history | then |
 * |---|---|---|
 * | `prompt` | stays | `stream(text)` |
 * | `replay` | is replaced by `messages`, which end with the user | `stream(undefined)` |
 */
export type RequestPrompt = (
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'replay'; readonly messages: readonly MessageData[] }
) & { readonly hookError: HookError | undefined };

/** What deriving a prompt needs besides the request. */
export interface PromptOptions {
  /** Whether the client's history replaces the agent's: no session manager, no `resume`, replay not switched off. */
  readonly replay: boolean;
  readonly extras: ToolCallContextExtras;
  readonly log: Logger;
  readonly stateContextBuilder?: StateContextBuilder | undefined;
  readonly known?: KnownCalls | undefined;
  /** Names calls from the agent's own history, for results whose call the request leaves out. */
  readonly nameOf?: NameOfCall | undefined;
}

/** Said for a request that says nothing. */
const GREETING = 'Hello';

/**
 * Decides what the agent is given: the results that end the request, else the last message of the user, else `Hello`,
 * with the state context builder applied exactly once, to the text that the model will see. Nothing is written.
 *
 * @throws RunError with code `CONTINUATION_TOOL_NAME_UNRESOLVED` or `MEDIA_NOT_SUPPORTED`
 */
export function derivePrompt(input: RunAgentInput, options: PromptOptions): RequestPrompt {
  const known = options.known ?? NOTHING_KNOWN;
  const lines = continuationLines(input.messages, known, options.nameOf ?? (() => undefined));
  return options.replay ? replay(input, lines, known, options) : prompt(input, lines, options);
}

function prompt(input: RunAgentInput, lines: readonly ContinuationLine[], options: PromptOptions): RequestPrompt {
  const text = lines.length > 0 ? joined(lines) : onlyText(lastWords(input.messages, ['user', 'tool']), options.log);
  const built = applyBuilder(input, text, options);
  return { kind: 'prompt', text: built.text, hookError: built.hookError };
}

function replay(
  input: RunAgentInput,
  lines: readonly ContinuationLine[],
  known: KnownCalls,
  options: PromptOptions,
): RequestPrompt {
  const { text, hookError } = applyBuilder(input, wordsToReplay(input, lines, options.log), options);
  const { messages, answered } = replayHistory(input.messages, { known, lastUserText: text });
  const untold = lines.filter(({ toolCallId }) => !answered.has(toolCallId));
  return { kind: 'replay', messages: endWithUser(messages, untold, text), hookError };
}

/** The text in the replayed history that the state context builder may rewrite. */
function wordsToReplay(input: RunAgentInput, lines: readonly ContinuationLine[], log: Logger): string {
  const words = lastWords(input.messages, ['user']);
  if (lines.length === 0) return onlyText(words, log);
  return input.messages.some(({ role }) => role === 'user') ? textOrKinds(words) : joined(lines);
}

/** A history that ends with an assistant, or is empty, gets the prompt as a turn of its own. */
function endWithUser(
  messages: readonly MessageData[],
  untold: readonly ContinuationLine[],
  text: string,
): readonly MessageData[] {
  if (messages.length === 0) return withUserText(messages, text);
  if (untold.length > 0) return withUserText(messages, joined(untold));
  return messages.at(-1)?.role === 'user' ? messages : withUserText(messages, text);
}

function joined(lines: readonly ContinuationLine[]): string {
  return lines.map(({ line }) => line).join('\n');
}

function withUserText(messages: readonly MessageData[], text: string): MessageData[] {
  const block: ContentBlockData = { text };
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [block] }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, block] }];
}

/** The content of the last message that says anything. */
function lastWords(messages: readonly Message[], roles: readonly Message['role'][]): ReadContent {
  for (const message of messages.toReversed()) {
    if (!roles.includes(message.role)) continue;
    const content = readContent(message.content);
    if (content.text.trim() !== '' || content.media.length > 0) return content;
  }
  return { text: GREETING, media: [] };
}

function onlyText({ text, media }: ReadContent, log: Logger): string {
  if (media.length === 0) return text;
  const kinds = [...new Set(media)].join(', ');
  if (text.trim() === '') throw new RunError('MEDIA_NOT_SUPPORTED', [`only ${kinds}`]);
  log.warn(`Only the text of the message reaches the model; left out: ${kinds}`);
  return text;
}

function applyBuilder(
  input: RunAgentInput,
  text: string,
  { stateContextBuilder: build, extras, log }: PromptOptions,
): { readonly text: string; readonly hookError: HookError | undefined } {
  if (build === undefined) return { text, hookError: undefined };
  try {
    return { text: checkedText(build(input, text, extras), text), hookError: undefined };
  } catch (error) {
    log.warn('stateContextBuilder failed; the prompt is used as it is', error);
    return { text, hookError: { hook: 'stateContextBuilder', tool: '__prompt__', error: errorText(error) } };
  }
}

/** An empty answer keeps the prompt: a turn has to say something. */
function checkedText(built: unknown, text: string): string {
  if (typeof built === 'string') return built.trim() === '' ? text : built.toWellFormed();
  if (built instanceof Promise) {
    built.catch(() => undefined);
    throw new TypeError('stateContextBuilder returned a promise; it must return the prompt itself');
  }
  throw new TypeError(`stateContextBuilder returned a value of type ${typeof built}; it must return the prompt`);
}
