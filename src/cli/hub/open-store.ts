import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalStore } from '../../core/approval-store.ts';
import type { AuditLog } from '../../core/audit-log.ts';
import { ConfigError, errorText } from '../../core/errors.ts';
import { MemoryApprovalStore } from '../../core/memory-store.ts';
import type { ValueStore } from '../../core/value-store.ts';
import type { SessionStorage } from '../../hub/index.ts';
import { MemoryAuditLog } from '../../stores/memory/memory-audit-log.ts';
import { MemoryValueStore } from '../../stores/memory/memory-value-store.ts';
import { SqliteStore } from '../../stores/sqlite/index.ts';
import { readOwnFile, replaceOwnFile } from '../own-file.ts';
import type { Setting } from '../setting.ts';

/** The whole state of a hub. */
export interface HubStore {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly values: ValueStore;
  /** `undefined`: in the memory of the process. */
  readonly sessions: SessionStorage | undefined;
  /** Whether the store adds its own steps to the audit log. */
  readonly chainsItsSteps: boolean;
  ready(): Promise<unknown>;
  /** Removes audit rows from before a time. */
  pruneAudit(before: number, at: number): Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the store that the configuration names.
 *
 * @throws TauError when its file cannot be used.
 */
export function openHubStore(setting: Setting): HubStore {
  return setting.config.hub.store.kind === 'memory' ? memoryStore() : sqliteStore(setting);
}

/**
 * Opens the store from beside the hub.
 *
 * @throws ConfigError when it is in the memory of the hub's own process.
 */
export function openSharedStore(setting: Setting): HubStore {
  if (setting.config.hub.store.kind === 'memory') throw new ConfigError(setting.say('hub.store_in_memory'));
  return sqliteStore(setting);
}

function sqliteStore(setting: Setting): HubStore {
  const { audit } = setting.config.hub;
  const redact = { paths: audit.redact, key: installKey(setting) };
  const store = SqliteStore.open(join(setting.dataDir, 'tau.db'), { redact });
  return {
    approvals: store,
    audit: store.audit,
    values: store.values,
    sessions: { snapshot: store.sessions },
    chainsItsSteps: true,
    ready: () => store.ready(),
    pruneAudit: (before, at) => store.prune({ at, auditBefore: before }),
    close: () => store.end(),
  };
}

function memoryStore(): HubStore {
  const approvals = new MemoryApprovalStore();
  const audit = new MemoryAuditLog();
  return {
    approvals,
    audit,
    values: new MemoryValueStore(),
    sessions: undefined,
    chainsItsSteps: false,
    ready: () => Promise.resolve(),
    pruneAudit: (before, at) => audit.prune(before, at),
    close: () => Promise.resolve(),
  };
}

/** The key under which secrets of the audit are hidden: made once, kept beside the store. */
function installKey({ dataDir, say }: Setting): string {
  const path = join(dataDir, 'key');
  try {
    if (!existsSync(path)) replaceOwnFile(path, `${randomBytes(32).toString('hex')}\n`);
    return readOwnFile(path).trim();
  } catch (error) {
    throw new ConfigError(say('error.own_file', { path, problem: errorText(error) }), { cause: error });
  }
}
