import { type PageFile, pageFiles } from '../../channels/web/index.ts';
import { TauError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import type { Logger } from '../../core/platform.ts';
import { createHub, type Hub, loginUrl } from '../../hub/index.ts';
import type { TauAgent } from '../../strands/index.ts';
import type { CommandContext } from '../command.ts';
import type { ModelConfig } from '../config/config.ts';
import { removeHubAddress, writeHubAddress } from '../hub/hub-files.ts';
import { type HubStore, openHubStore } from '../hub/open-store.ts';
import { openLog } from '../log.ts';
import { prepareFolder, requireModel } from '../prepare.ts';
import { refuseLinks } from '../refuse-links.ts';
import { openSetting, type Setting } from '../setting.ts';
import { packageVersion } from '../version.ts';
import { firstPrincipal, keepLocalToken, takeTokenOfEnvironment } from './first-token.ts';
import { lockFolder } from './folder-lock.ts';
import { type ListenAddress, listenAddress, localUrl, warnIfOpen } from './listen-address.ts';
import { makeServedAgent } from './served-agent.ts';
import { stopSignal } from './stop-signal.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Runs `tau serve`, until a signal ends it. */
export async function runServe(context: CommandContext): Promise<number> {
  const setting = openSetting(context);
  const model = requireModel(setting);
  const address = listenAddress(context, setting);
  refuseLinks(setting);
  prepareFolder(setting);
  lockFolder(setting);
  return serve(context, setting, { model, address });
}

interface Serving {
  readonly model: ModelConfig;
  readonly address: ListenAddress;
}

async function serve(context: CommandContext, setting: Setting, { model, address }: Serving): Promise<number> {
  const { io } = context;
  const page = await pageFiles();
  const logger = openLog(setting);
  const store = openHubStore(setting);
  const signal = stopSignal();
  try {
    const { agent, inbox } = await makeServedAgent(context, setting, { model, store, logger });
    const hub = makeHub(setting, { agent, store, logger, page });
    try {
      takeTokenOfEnvironment(io.env, hub, setting);
      const { url } = await started(hub, address, setting);
      await inbox.redeliver();
      await announce(context, setting, hub, localUrl(url));
      warnIfOpen(address.host, io.stderr, setting);
      const unprune = keepPruning(store, setting, logger);
      await signal.asked;
      unprune();
      io.stdout.write(`${setting.say('serve.stopping')}\n`);
    } finally {
      // Also when the start fails half way: calls may have gone on by then.
      await hub.stop();
      removeHubAddress(setting);
    }
    return 0;
  } finally {
    signal.close();
    await store.close();
  }
}

async function started(hub: Hub, address: ListenAddress, { say }: Setting): ReturnType<Hub['start']> {
  try {
    return await hub.start(address);
  } catch (error) {
    if (!(error instanceof TauError && error.code === 'port_in_use')) throw error;
    throw new TauError(error.code, say('serve.port_in_use', { ...address }), { cause: error });
  }
}

/** What a hub is made of, beside its setting. */
interface HubMade {
  readonly agent: TauAgent;
  readonly store: HubStore;
  readonly logger: Logger;
  readonly page: ReadonlyMap<string, PageFile>;
}

function makeHub({ config, language, isDemoWorld }: Setting, { agent, store, logger, page }: HubMade): Hub {
  const { serve, principals, audit } = config.hub;
  return createHub({
    agent,
    page,
    principals,
    audit: store.audit,
    auditsDecisions: !store.chainsItsSteps,
    values: store.values,
    hosts: serve.hosts,
    language,
    demo: isDemoWorld,
    // The lock of the folder says so.
    isAlone: true,
    logger,
    redact: store.chainsItsSteps ? [] : audit.redact,
    ready: () => store.ready(),
    ...(store.sessions === undefined ? {} : { sessions: store.sessions }),
    ...(serve.publicUrl === undefined ? {} : { publicUrl: serve.publicUrl }),
  });
}

/** Says where the page is. The code in the link is in no log: it goes to the screen only. */
async function announce({ io }: CommandContext, setting: Setting, hub: Hub, url: string): Promise<void> {
  const { say, config } = setting;
  const { id } = firstPrincipal(setting);
  const { code } = await hub.loginLinks.create(id);
  await keepLocalToken(hub, setting);
  writeHubAddress(setting, { url, pid: process.pid, key: hub.proofKey });
  const link = loginUrl(config.hub.serve.publicUrl ?? url, code);
  const lines = [
    say('serve.ready', { version: packageVersion(), principal: escapeText(id) }),
    `  ${link}`,
    say('serve.link_hint'),
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
}

/** Applies the retention of the audit log at the start and once a day. */
function keepPruning(store: HubStore, { config }: Setting, logger: Logger): () => void {
  const { retentionDays } = config.hub.audit;
  if (retentionDays === undefined) return () => undefined;
  const prune = (): void => {
    const now = Date.now();
    store.pruneAudit(now - retentionDays * DAY_MS, now).catch((error: unknown) => {
      logger.error('The audit log could not be pruned', { error: String(error) });
    });
  };
  prune();
  const timer = setInterval(prune, DAY_MS);
  return () => clearInterval(timer);
}
