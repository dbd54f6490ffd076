import type { InvocationState, InvokeArgs } from '@strands-agents/sdk';
import { InterruptResponseContent, Message } from '@strands-agents/sdk';
import type { Principal } from '../../core/call.ts';
import type { JSONValue } from '../../core/json.ts';
import { clearCheckpoint, readCheckpoint, wake } from '../../strands/checkpoint.ts';
import { repairHistory } from '../../strands/history.ts';
import { closeRun, type Run, resumeRun, startRun } from '../../strands/run.ts';
import type { NativeAnswer } from '../interrupt/plan.ts';
import type { RequestPrompt } from '../request/prompt.ts';
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
}

const CLOSING = 'The previous turn ended early.';

/** Starts a turn with what the request says. */
export function startTurn(thread: ThreadAgent, prompt: RequestPrompt, scope: RunScope): AgentRun {
  const { agent } = thread;
  if (readCheckpoint(agent).pending !== undefined) clearCheckpoint(agent);
  const run = openRun(thread, scope);
  if (prompt.kind === 'replay') {
    const messages = prompt.messages.map((data) => Message.fromMessageData(data));
    agent.messages.splice(0, agent.messages.length, ...messages);
    thread.replayed = new Set(messages.map(({ trackingId }) => trackingId));
    return { args: [], ...run };
  }
  repairHistory(agent, CLOSING);
  return { args: prompt.text, ...run };
}

/** Goes on with a history that needs no new words. */
export function continueTurn(thread: ThreadAgent, scope: RunScope): AgentRun {
  return { args: [], ...openRun(thread, scope) };
}

/** Wakes the waiting calls of a thread, with the answers to the developer's own interrupts. */
export async function resumeTurn(
  thread: ThreadAgent,
  answers: readonly NativeAnswer[],
  scope: RunScope,
): Promise<AgentRun> {
  const responses = answers.map((answer) => nativeResponse(answer));
  const { agent, guarded } = thread;
  const resumed = guarded === undefined ? undefined : await resumeRun(guarded, scope.key, scope.visible);
  if (resumed?.resumed === undefined) return { args: responses, ...openRun(thread, scope) };
  const { interrupts } = readCheckpoint(agent);
  const kept = Object.fromEntries(
    answers.flatMap(({ interruptId }): [string, JSONValue][] => {
      const native = Object.hasOwn(interrupts, interruptId) ? interrupts[interruptId] : undefined;
      return native === undefined ? [] : [[interruptId, native]];
    }),
  );
  const args = [...wake(agent, resumed.resumed.pending, kept), ...responses];
  return { args, invocationState: resumed.invocationState, run: resumed };
}

/** Ends a guarded run that does not wait: nothing of it stays open. */
export async function closeTurn(thread: ThreadAgent, { run }: AgentRun): Promise<void> {
  if (run === undefined || thread.guarded === undefined) return repairHistory(thread.agent, CLOSING);
  await closeRun(thread.agent, run, thread.guarded.language);
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
