import type { Tool } from '@strands-agents/sdk';
import type { TerminalSession } from '../../channels/terminal/index.ts';
import type { Principal } from '../../core/call.ts';
import { errorText } from '../../core/errors.ts';
import type { TauAgent, TurnEndReason } from '../../strands/index.ts';
import type { Say } from '../messages.ts';
import { Interrupts } from './interrupts.ts';
import { safeLines } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { readSlash } from './slash.ts';
import { TurnView } from './turn-view.ts';

/** Who talks with whom, where. */
export interface Chat {
  readonly agent: TauAgent;
  readonly tools: readonly Tool[];
  readonly session: TerminalSession;
  readonly screen: Screen;
  readonly principal: Principal;
  readonly say: Say;
}

/** How a conversation ended. */
export type ChatEnd = 'end of input' | 'quit' | 'interrupted';

/** What became of a conversation. */
export interface Conversation {
  readonly end: ChatEnd;
  /** Whether a turn did not work because of the model or a mistake; a call that was not approved is none. */
  readonly failed: boolean;
}

/** How a turn went. */
type Went = 'worked' | 'failed';

/** Ends of a turn that a script must be told about. */
const FAILED: ReadonlySet<TurnEndReason> = new Set<TurnEndReason>(['modelError', 'throttled', 'contextOverflow']);

/** Reads lines and runs one turn for each, until the input ends or the person leaves. */
export async function converse(chat: Chat): Promise<Conversation> {
  const { session, screen, say } = chat;
  const interrupts = new Interrupts(session, () => screen.line(screen.style('yellow', say('chat.cancelling'))));
  try {
    let failed = false;
    for (;;) {
      const step = await answerNextLine(chat, interrupts);
      failed ||= step === 'failed';
      if (step !== 'worked' && step !== 'failed') return { end: step, failed };
    }
  } finally {
    interrupts.close();
  }
}

/** One line and what it asks for: how that went, or how the conversation ended with it. */
async function answerNextLine(chat: Chat, interrupts: Interrupts): Promise<ChatEnd | Went> {
  const { screen, say, tools } = chat;
  const line = await readLine(chat, interrupts.quitSignal);
  if (interrupts.quitSignal.aborted) return 'interrupted';
  if (line === undefined) return 'end of input';
  const slash = readSlash(line, tools, say);
  if (slash?.kind === 'quit') return 'quit';
  let went: Went = 'worked';
  if (slash?.kind === 'print') screen.line(slash.text);
  else if (line.trim() !== '') went = await runTurn(chat, line, interrupts);
  return interrupts.quitSignal.aborted ? 'interrupted' : went;
}

async function readLine({ session, screen }: Chat, quit: AbortSignal): Promise<string | undefined> {
  screen.endLine();
  if (screen.isTerminal) screen.write('\n');
  const prompt = screen.isTerminal ? screen.style('bold', '> ') : '';
  try {
    return await session.readLine({ prompt, signal: quit });
  } catch (error) {
    if (quit.aborted) return undefined;
    throw error;
  } finally {
    screen.movedToLineStart();
  }
}

/** Runs one turn. What goes wrong in it ends the turn, not the conversation. */
async function runTurn(chat: Chat, line: string, interrupts: Interrupts): Promise<Went> {
  const { screen, say } = chat;
  if (!chat.session.interactive) screen.line(`> ${safeLines(line)}`);
  const signal = AbortSignal.any([interrupts.startTurn(), interrupts.quitSignal]);
  const view = new TurnView(screen, say);
  try {
    return await Promise.race([showTurn(chat, line, signal, view), aborted(interrupts.quitSignal)]);
  } catch (error) {
    view.close();
    screen.line(screen.style('red', say('chat.turn_failed', { problem: safeLines(errorText(error)) })));
    return 'failed';
  } finally {
    view.close();
    interrupts.endTurn();
  }
}

async function showTurn({ agent, principal }: Chat, line: string, signal: AbortSignal, view: TurnView): Promise<Went> {
  let went: Went = 'worked';
  for await (const event of agent.stream(line, { signal, principal })) {
    view.show(event);
    if (event.type === 'end' && FAILED.has(event.reason)) went = 'failed';
  }
  return went;
}

function aborted(signal: AbortSignal): Promise<Went> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('worked');
    else signal.addEventListener('abort', () => resolve('worked'), { once: true });
  });
}
