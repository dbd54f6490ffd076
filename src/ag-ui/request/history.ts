import type { AssistantMessage, Message, ToolMessage } from '@ag-ui/core';
import type { ContentBlockData, MessageData, ToolResultBlockData, ToolUseBlockData } from '@strands-agents/sdk';
import { readContent, textOrKinds } from './content.ts';
import { type KnownCalls, NOTHING_KNOWN } from './known-calls.ts';
import { toolResultBlock, toolUseBlock } from './tool-blocks.ts';

/** How a client's conversation is turned into an agent's. */
export interface HistoryOptions {
  /** What the server knows of calls; it wins over the client's copy. */
  readonly known?: KnownCalls;
  /** Replaces the text of the last user message. */
  readonly lastUserText?: string | undefined;
}

/** A client's conversation as the agent's history, and which calls it holds with their answers. */
export interface History {
  readonly messages: MessageData[];
  readonly answered: ReadonlySet<string>;
}

/**
 * Turns a client's conversation into a history that a model accepts: it begins with the user, roles alternate, every
 * tool use is answered in the next message and nothing else is. System, developer, reasoning and activity messages are
 * left out, as are calls without an answer, answers without a call, and whatever the assistant said before the user
 * said anything. The client's word is taken for calls that the server has not seen; it authorises nothing.
 */
export function replayHistory(messages: readonly Message[], options: HistoryOptions = {}): History {
  const known = options.known ?? NOTHING_KNOWN;
  const answers = collectAnswers(messages, known);
  const turns = new Turns();
  const lastUser = messages.findLastIndex(({ role }) => role === 'user');
  for (const [i, message] of messages.entries()) {
    switch (message.role) {
      case 'user':
        turns.add('user', textBlocks(i === lastUser ? (options.lastUserText ?? userText(message)) : userText(message)));
        break;
      case 'assistant':
        addAssistant(turns, message, answers, known);
        break;
      case 'tool':
        addUnannounced(turns, message, answers, known);
        break;
      case 'developer':
      case 'system':
      case 'activity':
      case 'reasoning':
        break;
      default:
        message satisfies never;
    }
  }
  return turns.finish();
}

/** The answer of every call that was made before it was answered; the last one counts, and the server's own wins. */
function collectAnswers(messages: readonly Message[], known: KnownCalls): Map<string, ToolResultBlockData> {
  const made = new Set<string>();
  const answers = new Map<string, ToolResultBlockData>();
  for (const message of messages) {
    for (const id of callsOf(message, known)) made.add(id);
    if (message.role !== 'tool' || !made.has(message.toolCallId)) continue;
    answers.set(message.toolCallId, toolResultBlock(message.toolCallId, message));
  }
  for (const id of made) {
    const result = known(id)?.result;
    if (result !== undefined) answers.set(id, result);
  }
  return answers;
}

/** The calls that are known to be made once a message is read; an answer stands for a call that the server made. */
function callsOf(message: Message, known: KnownCalls): readonly string[] {
  if (message.role === 'assistant') return (message.toolCalls ?? []).map(({ id }) => id);
  return message.role === 'tool' && known(message.toolCallId) !== undefined ? [message.toolCallId] : [];
}

type Answers = ReadonlyMap<string, ToolResultBlockData>;

function addAssistant(turns: Turns, message: AssistantMessage, answers: Answers, known: KnownCalls): void {
  const uses: ToolUseBlockData[] = [];
  for (const call of message.toolCalls ?? []) {
    const own = known(call.id);
    const use = own ? { toolUseId: call.id, name: own.name, input: own.input } : clientUse(call);
    if (use !== undefined) uses.push(use);
  }
  turns.add('assistant', textBlocks(readContent(message.content).text));
  turns.addCalls(uses, answers);
}

function clientUse(call: { id: string; function: { name: string; arguments: string } }): ToolUseBlockData | undefined {
  return toolUseBlock(call.id, call.function.name, call.function.arguments);
}

/** A client that sends only the answer of a call that the server made: the call is put in front of it. */
function addUnannounced(turns: Turns, { toolCallId }: ToolMessage, answers: Answers, known: KnownCalls): void {
  const own = known(toolCallId);
  if (own === undefined) return;
  turns.addCalls([{ toolUseId: toolCallId, name: own.name, input: own.input }], answers);
}

function userText({ content }: { content: unknown }): string {
  return textOrKinds(readContent(content));
}

function textBlocks(text: string): ContentBlockData[] {
  return text.trim() === '' ? [] : [{ text }];
}

interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockData[];
}

/** Builds alternating turns. Calls are written together with their answers, so one never stands without the other. */
class Turns {
  readonly #turns: Turn[] = [];
  readonly #answered = new Set<string>();

  add(role: Turn['role'], blocks: readonly ContentBlockData[]): void {
    this.#turn(role).content.push(...blocks);
  }

  addCalls(uses: readonly ToolUseBlockData[], answers: Answers): void {
    const results: ContentBlockData[] = [];
    for (const use of uses) {
      const result = answers.get(use.toolUseId);
      if (result === undefined || this.#answered.has(use.toolUseId)) continue;
      this.#answered.add(use.toolUseId);
      this.add('assistant', [{ toolUse: use }]);
      results.push({ toolResult: result });
    }
    if (results.length > 0) this.add('user', results);
  }

  finish(): History {
    while (this.#turns[0]?.role === 'assistant') this.#dropFirst();
    const messages = this.#turns.map(({ role, content }) => ({
      role,
      content: content.length > 0 ? content : blank(),
    }));
    return { messages, answered: this.#answered };
  }

  /** Without its calls the answers that follow have nothing to answer. */
  #dropFirst(): void {
    this.#turns.shift();
    const next = this.#turns[0];
    if (next === undefined) return;
    for (const block of next.content) if ('toolResult' in block) this.#answered.delete(block.toolResult.toolUseId);
    const rest = next.content.filter((block) => !('toolResult' in block));
    if (rest.length > 0) this.#turns[0] = { role: 'user', content: rest };
    else this.#turns.shift();
  }

  #turn(role: Turn['role']): Turn {
    const last = this.#turns.at(-1);
    if (last?.role === role) return last;
    const turn: Turn = { role, content: [] };
    this.#turns.push(turn);
    return turn;
  }
}

/** A turn has to hold something. */
function blank(): ContentBlockData[] {
  return [{ text: ' ' }];
}
