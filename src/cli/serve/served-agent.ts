import { Inbox } from '../../core/inbox.ts';
import type { Logger } from '../../core/platform.ts';
import { ServedChannel } from '../../core/served-channel.ts';
import { buildAgent, type TauAgent } from '../../strands/index.ts';
import type { CommandContext } from '../command.ts';
import type { ModelConfig } from '../config/config.ts';
import { configuredPolicy } from '../config/hub-policy.ts';
import type { HubStore } from '../hub/open-store.ts';
import { createModel } from '../models/create-model.ts';
import { openTools, type Setting } from '../setting.ts';
import { scopesOf } from './first-token.ts';

/** What the agent of a hub is made from, beside its setting. */
export interface ServedParts {
  readonly model: ModelConfig;
  readonly store: HubStore;
  readonly logger: Logger;
}

/** The agent of a hub, and where its questions go: the page, the command line and the API all look into the store. */
export async function makeServedAgent(
  { io }: CommandContext,
  setting: Setting,
  { model, store, logger }: ServedParts,
): Promise<{ readonly agent: TauAgent; readonly inbox: Inbox }> {
  const { config, language, say } = setting;
  const { maxTurns, systemPrompt } = config.agent;
  const { principals, policy } = config.hub;
  const deciders = principals.filter((principal) => scopesOf(principal).includes('decide'));
  const served = new ServedChannel({ name: 'hub', reaches: ({ mayDecide }) => deciders.some(mayDecide) });
  const inbox = new Inbox({ channels: [served], waits: false });
  const timeoutSeconds = config.hub.inbox.timeoutSeconds ?? config.agent.timeoutSeconds;
  const tools = await openTools(setting, ({ backup, problem }) =>
    logger.warn('The demo world could not be read and was set aside', { backup, problem }),
  );
  const agent = await buildAgent({
    model: await createModel(model, { env: io.env, language, say, demoPace: { thinkMs: 200, wordMs: 25 } }),
    tools,
    approver: inbox,
    store: store.approvals,
    policy: configuredPolicy(policy),
    language,
    logger,
    redact: config.log.redact,
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
  });
  return { agent, inbox };
}
