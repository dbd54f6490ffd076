import { type Agent, BeforeModelCallEvent, type SessionManager } from '@strands-agents/sdk';

/**
 * Saves the session before each model call, so that a crash in the middle of a long turn loses no finished tool
 * results and the model does not ask for them a second time.
 */
export function saveBeforeModelCalls(agent: Agent, sessionManager: SessionManager): void {
  agent.addHook(BeforeModelCallEvent, () => sessionManager.saveSnapshot({ target: agent, isLatest: true }));
}
