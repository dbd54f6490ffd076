import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionManager } from '@strands-agents/sdk';
import type { Sdk } from './fixed-model.ts';

let sessions = 0;

/** A session that takes its time to be found, and keeps nothing. */
export async function slowSession(sdk: Pick<Sdk, 'SessionManager'>, milliseconds: number): Promise<SessionManager> {
  await sleep(milliseconds);
  sessions += 1;
  return new sdk.SessionManager({
    sessionId: `session-${sessions}`,
    storage: {
      snapshot: {
        saveSnapshot: async () => undefined,
        loadSnapshot: async () => null,
        listSnapshotIds: async () => [],
        deleteSession: async () => undefined,
        loadManifest: async () => ({ schemaVersion: '1.0', updatedAt: '' }),
        saveManifest: async () => undefined,
      },
    },
  });
}
