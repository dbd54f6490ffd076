import type { SQLInputValue } from 'node:sqlite';
import { type JSONValue, sealJson } from '../../core/json.ts';
import type { StoredValue, ValueStore } from '../../core/value-store.ts';
import { parsed } from '../shared/codecs.ts';
import { ENCODED, keyOf } from '../shared/key.ts';
import { fields, json, text } from '../shared/shape.ts';
import type { Connection, SqlRow } from './connection.ts';

const document = fields<{ readonly id: string; readonly value: JSONValue }>({ id: text, value: json });

/** Those of one kind that have not expired, and whose ids begin with one of two texts. */
const FOUND = `FROM documents
  WHERE kind = ? AND (expires_at IS NULL OR expires_at > ?)
    AND (substr(id, 1, length(?)) = ? OR substr(id, 1, length(?)) = ?)`;

/** They are found in the index, whose entries are small; only those that are answered are read. */
const LATEST = `SELECT document.id, document.expires_at, document.document
  FROM (SELECT kind, id, place ${FOUND} ORDER BY place DESC LIMIT ?) AS found
  JOIN documents AS document ON document.kind = found.kind AND document.id = found.id
  ORDER BY found.place DESC`;

/** How the keys of all ids begin that begin with a text: as it is, or as JSON. */
function beginnings(prefix: string): readonly string[] {
  const encoded = ENCODED + JSON.stringify(prefix).slice(0, -1);
  const plain = keyOf(prefix) === prefix ? prefix : encoded;
  return [plain, plain, encoded, encoded];
}

/** Small documents in a table. */
export class SqliteValues implements ValueStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get(kind: string, id: string, now: number): Promise<StoredValue | undefined> {
    const sql = `SELECT id, expires_at, document FROM documents
      WHERE kind = ? AND id = ? AND (expires_at IS NULL OR expires_at > ?)`;
    return this.#connection.read(() => {
      const row = this.#connection.get(sql, keyOf(kind), keyOf(id), now);
      return row === undefined ? undefined : this.#valueOf(row);
    });
  }

  async put(kind: string, { id, value, expiresAt }: StoredValue): Promise<void> {
    const written = JSON.stringify({ id, value: sealJson(value) });
    await this.#connection.write(() =>
      this.#connection.run(
        `INSERT OR REPLACE INTO documents (kind, id, expires_at, document, place)
         VALUES (?, ?, ?, ?, (SELECT coalesce(max(place), 0) + 1 FROM documents WHERE kind = ?))`,
        keyOf(kind),
        keyOf(id),
        expiresAt ?? null,
        written,
        keyOf(kind),
      ),
    );
  }

  async take(kind: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM documents WHERE kind = ? AND id = ?';
    return (await this.#connection.write(() => this.#connection.run(sql, keyOf(kind), keyOf(id)))) > 0;
  }

  list(kind: string, now: number, prefix = ''): Promise<readonly StoredValue[]> {
    return this.#found(`SELECT id, expires_at, document ${FOUND} ORDER BY id`, [
      keyOf(kind),
      now,
      ...beginnings(prefix),
    ]);
  }

  latest(
    kind: string,
    now: number,
    { prefix = '', limit }: { readonly prefix?: string; readonly limit: number },
  ): Promise<readonly StoredValue[]> {
    return this.#found(LATEST, [keyOf(kind), now, ...beginnings(prefix), limit]);
  }

  #found(sql: string, values: readonly SQLInputValue[]): Promise<readonly StoredValue[]> {
    return this.#connection.read(() => this.#connection.all(sql, ...values).map((row) => this.#valueOf(row)));
  }

  #valueOf(row: SqlRow): StoredValue {
    const written = parsed(this.#connection.text(row, 'document'));
    if (!document(written) || keyOf(written.id) !== row.id) {
      throw this.#connection.damaged(`document '${String(row.id)}' cannot be read`);
    }
    const { id, value } = written;
    const expiresAt = row.expires_at === null ? {} : { expiresAt: this.#connection.number(row, 'expires_at') };
    return Object.freeze({ id, value: sealJson(value), ...expiresAt });
  }
}
