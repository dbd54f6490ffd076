import { type JSONValue, sealJson } from '../../core/json.ts';
import type { StoredValue, ValueStore } from '../../core/value-store.ts';
import { parsed } from '../shared/codecs.ts';
import { ENCODED, keyOf } from '../shared/key.ts';
import { fields, json, text } from '../shared/shape.ts';
import type { Connection, SqlRow } from './connection.ts';

const document = fields<{ readonly id: string; readonly value: JSONValue }>({ id: text, value: json });

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
        'INSERT OR REPLACE INTO documents (kind, id, expires_at, document) VALUES (?, ?, ?, ?)',
        keyOf(kind),
        keyOf(id),
        expiresAt ?? null,
        written,
      ),
    );
  }

  async take(kind: string, id: string): Promise<boolean> {
    const sql = 'DELETE FROM documents WHERE kind = ? AND id = ?';
    return (await this.#connection.write(() => this.#connection.run(sql, keyOf(kind), keyOf(id)))) > 0;
  }

  async list(kind: string, now: number, prefix = ''): Promise<readonly StoredValue[]> {
    // Keys that stand for ids which a column cannot hold begin otherwise, so they are looked at one by one.
    const sql = `SELECT id, expires_at, document FROM documents
      WHERE kind = ? AND (expires_at IS NULL OR expires_at > ?)
        AND (substr(id, 1, length(?)) = ? OR substr(id, 1, length(?)) = ?) ORDER BY id`;
    const begins = keyOf(prefix);
    const rows = await this.#connection.read(() =>
      this.#connection.all(sql, keyOf(kind), now, begins, begins, ENCODED, ENCODED).map((row) => this.#valueOf(row)),
    );
    return rows.filter(({ id }) => id.startsWith(prefix));
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
