import type { SQLInputValue } from 'node:sqlite';
import type { ApprovalFilter } from '../../core/approval-store.ts';
import { keyOf } from '../shared/key.ts';

/** A query with its values. */
export interface Query {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Columns by how few rows one value leaves; the first that is asked for is what the index is chosen by. */
const COLUMNS = ['batch', 'conversation', 'requester', 'status'] as const;

/** Cursors of this store: the place of the last record of a page. */
const CURSOR = /^@([1-9]\d{0,15})$/;

/** The query of one page, with one record more than fits, which tells whether there is another page. */
export function pageQuery(filter: ApprovalFilter, limit: number): Query {
  const newest = filter.order === 'newest';
  const place = placeOf(filter.cursor);
  const asked = COLUMNS.filter((column) => filter[column] !== undefined);
  const conditions = asked.map((column) => `${isIndexed(column, asked) ? '' : '+'}${column} = ?`);
  if (place !== undefined) conditions.push(`seq ${newest ? '<' : '>'} ${place.sql}`);
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  const sql = `SELECT seq, id, status, record FROM approvals${where} ORDER BY seq ${newest ? 'DESC' : 'ASC'} LIMIT ?`;
  const values = asked.map((column) => keyOf(String(filter[column])));
  return { sql, values: [...values, ...(place?.values ?? []), limit + 1] };
}

/** The cursor that continues behind a place. */
export function cursorAt(place: number): string {
  return `@${place}`;
}

/**
 * Whether the index of a column is used. The others only filter, or SQLite might choose the wrong one and sort: a status
 * has its index alone, or behind that of who asked.
 */
function isIndexed(column: (typeof COLUMNS)[number], asked: readonly string[]): boolean {
  return asked[0] === column || (column === 'status' && asked[0] === 'requester');
}

/** Where a page begins: behind a place, or behind a record; behind one that is not there is nothing. */
function placeOf(cursor: string | undefined): Query | undefined {
  if (cursor === undefined) return undefined;
  const place = CURSOR.exec(cursor)?.[1];
  if (place !== undefined) return { sql: '?', values: [Number(place)] };
  return { sql: '(SELECT seq FROM approvals WHERE id = ?)', values: [keyOf(cursor)] };
}
