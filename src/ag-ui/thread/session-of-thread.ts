import { SessionManager } from '@strands-agents/sdk';
import { RunError } from '../run-error.ts';
import type { ThreadAgentRequest } from './thread-agent-request.ts';

/**
 * The session manager that the application provides for a thread; `undefined` when it has none.
 *
 * @throws RunError when the provider throws or gives something else.
 */
export async function sessionManagerOf({
  config,
  input,
  context,
  log,
}: ThreadAgentRequest): Promise<SessionManager | undefined> {
  if (config.sessionManagerProvider === undefined) return undefined;
  let provided: SessionManager | null | undefined;
  try {
    provided = await Promise.resolve(config.sessionManagerProvider(input, context));
  } catch (cause) {
    throw new RunError('SESSION_MANAGER_ERROR', ['the provider failed; see the log of the server'], { cause });
  }
  if (provided === null || provided === undefined) {
    const thread = JSON.stringify(input.threadId);
    log.warn(`sessionManagerProvider returned null/undefined for thread ${thread}; it will not be persisted`);
    return undefined;
  }
  if (provided instanceof SessionManager) return provided;
  throw new RunError('SESSION_MANAGER_INVALID_TYPE', [typeName(provided)]);
}

function typeName(value: unknown): string {
  return typeof value === 'object' && value !== null ? (value.constructor?.name ?? 'object') : typeof value;
}
