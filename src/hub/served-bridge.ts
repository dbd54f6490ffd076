import { SessionManager } from '@strands-agents/sdk';
import type { Logger as BridgeLogger } from '../ag-ui/config.ts';
import { StrandsAgent } from '../ag-ui/strands-agent.ts';
import { sessionIdOf } from '../ag-ui/thread/session-id.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/platform.ts';
import { memorySessions } from './memory-sessions.ts';
import type { HubOptions } from './options.ts';

/**
 * The bridge of a hub: every thread has a session, named by the hash of its key, so that it goes on without a client and
 * tells one that comes back everything.
 */
export function servedBridge(options: HubOptions, log: Logger): StrandsAgent {
  const { agent, name = 'tau', bridge = {}, sessions } = options;
  const storage = sessions ?? { snapshot: memorySessions() };
  return new StrandsAgent({
    agent,
    name,
    config: {
      finishToolsSeconds: Number.POSITIVE_INFINITY,
      ...bridge,
      logger: bridgeLogger(log),
      messagesFrom: 'session',
      sessionManagerProvider: ({ threadId }, { principal }) =>
        new SessionManager({ sessionId: sessionIdOf(threadId, principal), storage }),
    },
  });
}

/** The bridge logs loose values; the hub's log takes named fields. */
function bridgeLogger(log: Logger): BridgeLogger {
  const fields = (args: readonly unknown[]): Readonly<Record<string, unknown>> | undefined =>
    args.length === 0
      ? undefined
      : { details: args.map((arg) => (arg instanceof Error ? (arg.stack ?? errorText(arg)) : arg)) };
  return {
    debug: (message, ...args) => log.debug(message, fields(args)),
    warn: (message, ...args) => log.warn(message, fields(args)),
    error: (message, ...args) => log.error(message, fields(args)),
  };
}
