import type { Snapshot, SnapshotLocation, SnapshotManifest, SnapshotStorage } from '@strands-agents/sdk';
import { parsed } from '../shared/codecs.ts';
import { keyOf } from '../shared/key.ts';
import { atLeast, mapOf, oneOf, type Shape, text } from '../shared/shape.ts';
import type { Connection } from './connection.ts';

/** Stands for the id of the snapshot that each save replaces. */
const LATEST = '';

type SnapshotValue = Snapshot['data'][string];

const value: Shape<SnapshotValue> = (given): given is SnapshotValue => given !== undefined;

const snapshotShape: Shape<Snapshot> = atLeast<Snapshot>({
  scope: oneOf('agent', 'multiAgent'),
  schemaVersion: text,
  createdAt: text,
  data: mapOf(value),
  appData: mapOf(value),
});

const manifestShape: Shape<SnapshotManifest> = atLeast<SnapshotManifest>({ schemaVersion: text, updatedAt: text });

/** Sessions of the Strands SDK in a table: `new SessionManager({ storage: { snapshot: store.sessions } })`. */
export class SqliteSessions implements SnapshotStorage {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async saveSnapshot(params: Parameters<SnapshotStorage['saveSnapshot']>[0]): Promise<void> {
    const { location, snapshotId, isLatest, snapshot } = params;
    const written = JSON.stringify(snapshot);
    await this.#connection.write(() =>
      this.#connection.run(
        'INSERT OR REPLACE INTO snapshots (session, scope, scope_id, id, saved_at, snapshot) VALUES (?, ?, ?, ?, ?, ?)',
        ...keysOf(location),
        isLatest ? LATEST : keyOf(snapshotId),
        Date.now(),
        written,
      ),
    );
  }

  async loadSnapshot(params: Parameters<SnapshotStorage['loadSnapshot']>[0]): Promise<Snapshot | null> {
    const { location, snapshotId } = params;
    const id = snapshotId === undefined ? LATEST : keyOf(snapshotId);
    const sql = 'SELECT snapshot FROM snapshots WHERE session = ? AND scope = ? AND scope_id = ? AND id = ?';
    return this.#load(snapshotShape, 'snapshot', sql, ...keysOf(location), id);
  }

  listSnapshotIds(params: Parameters<SnapshotStorage['listSnapshotIds']>[0]): Promise<string[]> {
    const { location, limit = -1, startAfter = LATEST } = params;
    if (params.limit !== undefined && params.limit <= 0) return Promise.resolve([]);
    const sql = `SELECT id FROM snapshots
      WHERE session = ? AND scope = ? AND scope_id = ? AND id > ? ORDER BY id LIMIT ?`;
    return this.#connection.read(() =>
      this.#connection
        .all(sql, ...keysOf(location), keyOf(startAfter), limit)
        .map((row) => this.#connection.text(row, 'id')),
    );
  }

  async deleteSession({ sessionId }: { readonly sessionId: string }): Promise<void> {
    const key = keyOf(sessionId);
    await this.#connection.write(() => {
      this.#connection.run('DELETE FROM snapshots WHERE session = ?', key);
      this.#connection.run('DELETE FROM manifests WHERE session = ?', key);
    });
  }

  async loadManifest({ location }: { readonly location: SnapshotLocation }): Promise<SnapshotManifest> {
    const sql = 'SELECT manifest FROM manifests WHERE session = ? AND scope = ? AND scope_id = ?';
    const manifest = await this.#load(manifestShape, 'manifest', sql, ...keysOf(location));
    return manifest ?? { schemaVersion: '1.0', updatedAt: new Date().toISOString() };
  }

  async saveManifest(params: Parameters<SnapshotStorage['saveManifest']>[0]): Promise<void> {
    const written = JSON.stringify(params.manifest);
    await this.#connection.write(() =>
      this.#connection.run(
        'INSERT OR REPLACE INTO manifests (session, scope, scope_id, manifest) VALUES (?, ?, ?, ?)',
        ...keysOf(params.location),
        written,
      ),
    );
  }

  #load<T>(shape: Shape<T>, column: string, sql: string, ...values: string[]): Promise<T | null> {
    return this.#connection.read(() => {
      const row = this.#connection.get(sql, ...values);
      if (row === undefined) return null;
      const loaded = parsed(this.#connection.text(row, column));
      if (!shape(loaded)) throw this.#connection.damaged(`the ${column} of session '${values[0]}' cannot be read`);
      return loaded;
    });
  }
}

function keysOf({ sessionId, scope, scopeId }: SnapshotLocation): [string, string, string] {
  return [keyOf(sessionId), scope, keyOf(scopeId)];
}
