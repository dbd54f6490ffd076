import type { Agent } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../config.ts';

/** Saves the session of a thread's agent, if it has one. A session that cannot be saved is worth a warning only. */
export async function saveSession(agent: Agent, log: Logger): Promise<void> {
  try {
    await agent.sessionManager?.saveSnapshot({ target: agent, isLatest: true });
  } catch (error) {
    log.warn(`The session could not be saved: ${errorText(error)}`);
  }
}
