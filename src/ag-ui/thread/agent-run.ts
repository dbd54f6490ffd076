import type { Message as ClientMessage, ToolMessage } from '@ag-ui/core';
import type { InvocationState, InvokeArgs } from '@strands-agents/sdk';
import { InterruptResponseContent, Message } from '@strands-agents/sdk';
import type { Principal } from '../../core/call.ts';
import { isJsonObject, type JSONValue } from '../../core/json.ts';
import { dropCheckpoint, isStopped, isWaiting, readCheckpoint, wake } from '../../strands/checkpoint.ts';
import { repairHistory } from '../../strands/history.ts';
import { loadParkedTurn } from '../../strands/parked-turn.ts';
import { closeRun, type Run, resumeRun, startClean, startRun } from '../../strands/run.ts';
import type { TauAgentParts } from '../../strands/tau-agent-parts.ts';
import type { Logger } from '../config.ts';
import type { NativeAnswer } from '../interrupt/plan.ts';
import type { RequestPrompt } from '../request/prompt.ts';
import { visibleNames } from '../tools/visible-names.ts';
import { withClientAnswers } from './pending-calls.ts';
import { recall } from './recall.ts';
import { saveSession } from './save-session.ts';
import type { ThreadAgent } from './thread-agent.ts';
import type { ThreadKey } from './thread-key.ts';

/** One run of a thread's agent, about to be streamed. */
export interface AgentRun {
  readonly args: InvokeArgs;
  readonly invocationState: InvocationState;
  /** The run of a guarded agent; `undefined` for a plain one. */
  readonly run: Run | undefined;
}

/** Who runs and what may be seen. */
export interface RunScope {
  readonly key: ThreadKey;
  readonly principal: Principal;
  readonly visible: ReadonlySet<string> | undefined;
  readonly invocationState: InvocationState | undefined;
  readonly isClientTool: (name: string) => boolean;
}

/** What a client says when it resumes. */
export interface ClientAnswers {
  /** Answers to interrupts of the developer. */
  readonly natives: readonly NativeAnswer[];
  /** Answers of its tools, which end the request. */
  readonly results: readonly ToolMessage[];
  readonly messages: readonly ClientMessage[];
}

/**
 * How a run ended that waits for nothing on the server.
 *
 * | type | meaning |
 * |---|---|
 * | `done` | the agent's turn is over |
 * | `halted` | it was ended after its tools; the client may have to answer calls |
 * | `failed` | the agent threw |
 * | `left` | the client has gone |
 */
export type RunEnding = { readonly type: 'done' | 'halted' | 'failed' | 'left' };

const CLOSING = 'The previous turn ended early.';

/** Starts a turn with what the request says. */
export async function startTurn(thread: ThreadAgent, prompt: RequestPrompt, scope: RunScope): Promise<AgentRun> {
  const { agent } = thread;
  await dropStop(thread, scope.key);
  const run = openRun(thread, scope);
  if (prompt.kind === 'replay') {
    const messages = prompt.messages.map((data) => Message.fromMessageData(data));
    agent.messages.splice(0, agent.messages.length, ...messages);
    thread.markReplayed();
    return { args: [], ...run };
  }
  repairHistory(agent, { text: CLOSING });
  return { args: prompt.text, ...run };
}

/** Goes on with a history that needs no new words. */
export function continueTurn(thread: ThreadAgent, scope: RunScope): AgentRun {
  return { args: [], ...openRun(thread, scope) };
}

/** Wakes the waiting calls of a thread, with the answers to the developer's own interrupts and to the client's calls. */
export async function resumeTurn(thread: ThreadAgent, answers: ClientAnswers, scope: RunScope): Promise<AgentRun> {
  const responses = answers.natives.map((answer) => nativeResponse(answer));
  const { agent, guarded } = thread;
  const said = agent.messages.length;
  const resumed = guarded === undefined ? undefined : await resumeGuarded(thread, guarded, answers.messages, scope);
  // The calls may be in the history already: then the run goes on behind them, and nobody ended the turn.
  if (resumed === undefined) agent.messages.splice(said);
  const opened =
    resumed === undefined
      ? openRun(thread, scope)
      : { invocationState: Object.assign(resumed.invocationState, scope.invocationState), run: resumed };
  const { interrupts, pending: waiting } = readCheckpoint(agent);
  const pending = resumed?.resumed?.pending ?? waiting;
  if (pending === undefined) return { args: responses, ...opened };
  const answered = withClientAnswers(pending, answers.results, scope.isClientTool);
  if (guarded === undefined && answered === pending) return { args: responses, ...opened };
  const kept = guarded === undefined ? interrupts : nativesAmong(interrupts, answers.natives);
  return { args: [...wake(agent, answered, kept), ...responses], ...opened };
}

/** A filter of now replaces the one of then, also when now there is none. */
async function resumeGuarded(
  thread: ThreadAgent,
  guarded: TauAgentParts,
  messages: readonly ClientMessage[],
  { key, principal, visible }: RunScope,
): Promise<Run | undefined> {
  const parked = await loadParkedTurn(guarded.gate.store, key);
  if (parked !== undefined) recall(thread, messages, parked.pending);
  const { toolRegistry } = thread.agent;
  const everything = parked?.visible === undefined ? undefined : visibleNames(toolRegistry.list(), () => false);
  return resumeRun(guarded, key, { principal, visible: visible ?? everything });
}

/**
 * The interrupts of the developer's hooks and tools that stay when a guarded agent is woken: those that are answered
 * now or were answered in an earlier round. Of tau's own none stays, so that no answer to one is ever found.
 */
function nativesAmong(
  interrupts: { readonly [id: string]: JSONValue },
  answers: readonly NativeAnswer[],
): { readonly [id: string]: JSONValue } {
  const now = new Set(answers.map(({ interruptId }) => interruptId));
  const stays = ([id, interrupt]: [string, JSONValue]): boolean =>
    now.has(id) || (isJsonObject(interrupt) && interrupt.response !== undefined && !isTauName(interrupt.name));
  return Object.fromEntries(Object.entries(interrupts).filter(stays));
}

function isTauName(name: JSONValue | undefined): boolean {
  return typeof name !== 'string' || name.startsWith('tau');
}

/** Drops what a thread stopped at and does not wait for. */
export async function dropStop({ agent, guarded }: ThreadAgent, key: ThreadKey): Promise<void> {
  if (guarded === undefined) dropCheckpoint(agent);
  else await startClean(agent, guarded.gate, key);
}

/** Ends a run that does not wait: nothing of it stays open, and the session knows. */
export async function closeTurn(thread: ThreadAgent, { run }: AgentRun, ending: RunEnding, log: Logger): Promise<void> {
  const { agent, guarded } = thread;
  const said = agent.messages.length;
  const waited = isWaiting(agent);
  if (run !== undefined && guarded !== undefined) await closeRun(agent, run, guarded.language);
  else closePlain(thread, ending);
  // What follows the placeholders of a client's calls are the client's answers.
  if (ending.type === 'halted') agent.messages.splice(said);
  const changed = ending.type === 'halted' || agent.messages.length !== said || waited;
  if (changed) await saveSession(agent, log);
}

/** A resume that failed on its way, and still waits, keeps its answers, so that the same request can be tried again. */
function closePlain({ agent }: ThreadAgent, { type }: RunEnding): void {
  if (type === 'failed' && isStopped(agent)) return;
  dropCheckpoint(agent);
  repairHistory(agent, { text: CLOSING });
}

function openRun({ guarded }: ThreadAgent, scope: RunScope): Omit<AgentRun, 'args'> {
  const { key, principal, visible, invocationState = {} } = scope;
  if (guarded === undefined) return { invocationState, run: undefined };
  const run = startRun(guarded, { conversation: key, principal, visible });
  return { invocationState: Object.assign(run.invocationState, invocationState), run };
}

function nativeResponse({ interruptId, response }: NativeAnswer): InterruptResponseContent {
  // The SDK types JSON as mutable; it keeps what it gets.
  const value = structuredClone(response) as InterruptResponseContent['interruptResponse']['response'];
  return new InterruptResponseContent({ interruptId, response: value });
}
