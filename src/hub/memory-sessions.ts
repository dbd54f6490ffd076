import type { Snapshot, SnapshotStorage } from '@strands-agents/sdk';

type Location = Parameters<SnapshotStorage['loadSnapshot']>[0]['location'];

/** Sessions in the memory of this process: enough for a conversation to go on when nobody is connected. */
export function memorySessions(): SnapshotStorage {
  const latest = new Map<string, string>();
  return {
    saveSnapshot: async ({ location, isLatest, snapshot }) => {
      if (isLatest) latest.set(nameOf(location), JSON.stringify(snapshot));
    },
    loadSnapshot: async ({ location }) => {
      const text = latest.get(nameOf(location));
      // It is the text of a snapshot that this storage was given.
      return text === undefined ? null : (JSON.parse(text) as Snapshot);
    },
    listSnapshotIds: async () => [],
    deleteSession: async ({ sessionId }) => {
      for (const name of latest.keys()) if (name.startsWith(`${sessionId}/`)) latest.delete(name);
    },
    loadManifest: async () => ({ schemaVersion: '1.0', updatedAt: new Date(0).toISOString() }),
    saveManifest: async () => undefined,
  };
}

function nameOf({ sessionId, scope, scopeId }: Location): string {
  return `${sessionId}/${scope}/${scopeId}`;
}
