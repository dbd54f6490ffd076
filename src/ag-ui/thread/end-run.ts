import type { BaseEvent, Interrupt } from '@ag-ui/core';
import type { Interrupt as NativeInterrupt } from '@strands-agents/sdk';
import { classifyError } from '../classify-error.ts';
import { keepStopped, rememberResume } from '../interrupt/outcome.ts';
import { runFailed, runFinished } from '../run-events.ts';
import type { StrandsResult } from '../translate/sdk-events.ts';
import type { TranslationEnd } from '../translate/translation-end.ts';
import { closeTurn } from './agent-run.ts';
import { withoutHaltText } from './client-answers.ts';
import type { OpenRun } from './open-run.ts';
import { rememberCalls } from './remember-calls.ts';

/** Puts the thread of a run that is over in order. Returns the last events of the run. */
export async function endRun(open: OpenRun, { end, usage, closed }: TranslationEnd): Promise<readonly BaseEvent[]> {
  const { request, thread, tools, begun } = open;
  const { input, parts } = request;
  await closed;
  const halted = withoutHaltText(thread.agent);
  rememberCalls(thread, tools.proxyNames);
  switch (end.type) {
    case 'left':
      return [];
    case 'failed':
      parts.log.error(`Run ${JSON.stringify(input.runId)} failed`, end.error);
      await closeTurn(thread, begun.agentRun, { type: 'failed' }, parts.log);
      return [runFailed(classifyError(end.error, 'agent'), usage)];
    case 'result':
      return endWith(open, end.result, halted, usage);
    default:
      return end satisfies never;
  }
}

async function endWith(
  open: OpenRun,
  { stopReason, interrupts: raised = [] }: StrandsResult,
  halted: boolean,
  usage: TranslationEnd['usage'],
): Promise<readonly BaseEvent[]> {
  const { request, thread, plan, begun } = open;
  const { input, parts } = request;
  const stopped = stopReason === 'interrupt';
  const interrupts = stopped ? await keptStop(open, raised) : [];
  if (interrupts.length > 0) return [runFinished(input, interrupts, usage)];
  if (stopped) parts.log.debug('The agent stopped for interrupts and raised none');
  await closeTurn(thread, begun.agentRun, { type: halted ? 'halted' : 'done' }, parts.log);
  if (plan.type === 'resume' && !stopped) await rememberResume(thread, plan.fingerprint, parts.log);
  reportLimit(open);
  return [runFinished(input, [], usage)];
}

/** A stop that could not be kept is none: nobody could ever answer it, so what was asked is void. */
async function keptStop(open: OpenRun, raised: readonly NativeInterrupt[]): Promise<readonly Interrupt[]> {
  const { thread, begun, request } = open;
  const { log } = request.parts;
  try {
    return await keepStopped(open, raised);
  } catch (error) {
    await closeTurn(thread, begun.agentRun, { type: 'failed' }, log).catch((also: unknown) => {
      log.error('A run that could not be kept could not be closed either', also);
    });
    throw error;
  }
}

/** Reports a turn that its budget ended; the agent told the client so itself. */
function reportLimit({ begun }: OpenRun): void {
  const context = begun.agentRun.run?.context;
  const hit = context?.budget.hit;
  if (context === undefined || hit === undefined) return;
  const { conversation, run } = context;
  context.gate.reportTurnLimit(hit, context.budget.limit(hit), { kind: 'model', conversation, run });
}
