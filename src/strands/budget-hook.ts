import { AfterInvocationEvent, AfterModelCallEvent, BeforeModelCallEvent, type LocalAgent } from '@strands-agents/sdk';
import type { Budget, LimitName } from './budget.ts';
import { isStopped } from './checkpoint.ts';
import { runOf } from './run-context.ts';

/** Each model call counts once, also for an agent that is used as a tool besides. */
const kept = new WeakSet<LocalAgent>();

/**
 * Makes an agent keep to the budget of the run it works for. The text given to the model call that does not start
 * becomes the closing answer, so that the history stays one that the next turn can use.
 */
export function keepToBudget(agent: LocalAgent, closingText: (hit: LimitName, budget: Budget) => string): void {
  if (kept.has(agent)) return;
  kept.add(agent);
  agent.addHook(
    BeforeModelCallEvent,
    (event) => {
      const budget = runOf(event.invocationState)?.budget;
      if (budget === undefined || budget.allowsModelCall() || budget.hit === undefined) return;
      event.cancel = closingText(budget.hit, budget);
    },
    { order: Number.POSITIVE_INFINITY },
  );
  agent.addHook(AfterModelCallEvent, (event) => {
    const budget = runOf(event.invocationState)?.budget;
    if (budget === undefined || event.stopData === undefined || budget.hit !== undefined) return;
    budget.spend(event.stopData.message.metadata?.usage);
  });
  agent.addHook(AfterInvocationEvent, endForGood, { order: Number.POSITIVE_INFINITY });
}

/** A hook that resumes for ever would keep a turn going that has no budget, was cancelled, or waits for a person. */
function endForGood(event: AfterInvocationEvent): void {
  const run = runOf(event.invocationState);
  if (run === undefined || event.resume === undefined) return;
  const over = run.budget.hit !== undefined || run.stop.signal.aborted || event.agent.cancelSignal.aborted;
  if (over || isStopped(event.agent)) event.resume = undefined;
}
