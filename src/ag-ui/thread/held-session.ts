import type { Agent, SessionManager } from '@strands-agents/sdk';

/** Agents whose threads were taken from them. */
const forgotten = new WeakSet<object>();

/** Session managers that ask whether an agent is one of these. */
const asking = new WeakSet<SessionManager>();

/**
 * Lets an agent save its session for as long as it has its thread. A body that does not stop can keep an agent at work long
 * after its thread was given to another one; saved then, its history would replace what was said since.
 */
export function keepSession(agent: Agent): void {
  forgotten.delete(agent);
  const { sessionManager } = agent;
  if (sessionManager === undefined || asking.has(sessionManager)) return;
  asking.add(sessionManager);
  sessionManager.saveSnapshot = new Proxy(sessionManager.saveSnapshot, {
    apply: (save, manager, params) =>
      forgotten.has(params[0]?.target) ? Promise.resolve() : Reflect.apply(save, manager, params),
  });
}

/** The thread of an agent was taken from it; it saves nothing more. */
export function forgetSession(agent: Agent): void {
  forgotten.add(agent);
}
