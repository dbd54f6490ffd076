import type { DatabaseSync } from 'node:sqlite';
import { TauError } from '../../core/errors.ts';
import { corrupt } from './errors.ts';

/** Marks a file as a store of tau, in SQLite's `application_id`: the letters "tau1". */
const APPLICATION = 0x74617531;

/** What each version of the file adds to the one before; only ever appended to. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE approvals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    requester TEXT NOT NULL,
    conversation TEXT,
    batch TEXT,
    expires_at REAL,
    updated_at REAL NOT NULL,
    changed INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX approvals_status ON approvals (status);
  CREATE INDEX approvals_requester ON approvals (requester);
  CREATE INDEX approvals_requester_status ON approvals (requester, status);
  CREATE INDEX approvals_conversation ON approvals (conversation) WHERE conversation IS NOT NULL;
  CREATE INDEX approvals_batch ON approvals (batch) WHERE batch IS NOT NULL;
  CREATE INDEX approvals_due ON approvals (expires_at) WHERE status = 'pending' AND expires_at IS NOT NULL;
  CREATE INDEX approvals_changed ON approvals (changed);

  CREATE TABLE parked (conversation TEXT PRIMARY KEY, turn TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    event TEXT NOT NULL,
    prev TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE audit_anchor (only INTEGER PRIMARY KEY CHECK (only = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  INSERT INTO audit_anchor (only, seq, hash) VALUES (1, 0, '${'0'.repeat(64)}');

  CREATE TABLE documents (
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    expires_at REAL,
    document TEXT NOT NULL,
    PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE snapshots (
    session TEXT NOT NULL,
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    id TEXT NOT NULL,
    saved_at REAL NOT NULL,
    snapshot TEXT NOT NULL,
    PRIMARY KEY (session, scope, scope_id, id)
  ) STRICT;
  CREATE TABLE manifests (
    session TEXT NOT NULL,
    scope TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    manifest TEXT NOT NULL,
    PRIMARY KEY (session, scope, scope_id)
  ) STRICT;
  `,
  // Documents in the order in which they were put; of those that are there already, only conversations tell when that was.
  `
  ALTER TABLE documents ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  UPDATE documents SET place = coalesce(CAST(json_extract(document, '$.value.updatedAt') AS INTEGER), 0)
    WHERE kind = 'thread' AND json_valid(document);
  CREATE INDEX documents_place ON documents (kind, place, expires_at);
  CREATE INDEX documents_due ON documents (expires_at) WHERE expires_at IS NOT NULL;
  `,
];

/**
 * Brings a file to the version that this code knows. Versions only go forward.
 *
 * @throws TauError `store_newer` for a file of a later version, `store_corrupt` for a database of another program.
 */
export function migrate(database: DatabaseSync, path: string): void {
  if (check(database, path) === MIGRATIONS.length) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have been faster.
    for (const migration of MIGRATIONS.slice(check(database, path))) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The version of a file, 0 for a new one. */
function check(database: DatabaseSync, path: string): number {
  const version = pragma(database, 'user_version');
  const application = pragma(database, 'application_id');
  const isNew = version === 0 && application === 0 && pragma(database, 'schema_version') === 0;
  if (!isNew && application !== APPLICATION) throw corrupt(path, 'it is a database of another program');
  if (version <= MIGRATIONS.length) return version;
  throw new TauError(
    'store_newer',
    `the store ${path} has version ${version}, and this tau knows versions up to ${MIGRATIONS.length}. Use a newer tau`,
  );
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
