import type { ResumeEntry } from '@ag-ui/core';
import { isJsonObject, type JSONValue, sealJson } from '../../core/json.ts';
import { RunError } from '../run-error.ts';
import { APPROVAL_SCHEMA } from './publish.ts';

/**
 * What a client answered to a tau approval.
 *
 * | decision | meaning |
 * |---|---|
 * | `approved` | yes, to what was shown or to other arguments |
 * | `rejected` | no |
 * | `cancelled` | a no of whoever may decide it; else its requester withdraws it |
 */
export type ApprovalAnswer =
  | { readonly decision: 'approved'; readonly editedArgs?: JSONValue }
  | { readonly decision: 'rejected'; readonly reason?: string }
  | { readonly decision: 'cancelled' };

/**
 * Every entry is resolved or cancelled, and answers a question of its own.
 *
 * @throws RunError `INVALID_PAYLOAD`
 */
export function checkEntries(entries: readonly ResumeEntry[]): void {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(entry.interruptId)) throw invalid(entry, 'answered more than once.');
    seen.add(entry.interruptId);
    const { status }: { readonly status: string } = entry;
    if (status !== 'resolved' && status !== 'cancelled') {
      throw invalid(entry, "the status must be 'resolved' or 'cancelled'.");
    }
  }
}

/**
 * The one reader of answers to approvals. Only a payload with `approved: true` (the boolean) approves.
 *
 * @throws RunError `INVALID_PAYLOAD` for everything else: nothing is guessed.
 */
export function readApprovalAnswer(entry: ResumeEntry): ApprovalAnswer {
  if (entry.status === 'cancelled') return { decision: 'cancelled' };
  const payload = readPayload(entry, APPROVAL_SCHEMA);
  const { approved, reason, editedArgs } = isJsonObject(payload) ? payload : {};
  if (approved === true) return { decision: 'approved', ...(editedArgs === undefined ? {} : { editedArgs }) };
  if (editedArgs !== undefined) throw invalid(entry, "field 'editedArgs' goes with approved: true only.");
  return { decision: 'rejected', ...(typeof reason === 'string' ? { reason } : {}) };
}

/**
 * The payload of an answer, checked against the schema that was published with its question: required keys, no others
 * than it names, and their primitive types. A misspelt key is refused, because without it the rest could say yes to
 * something else than was meant. Where no schema was published, any JSON is an answer.
 *
 * @throws RunError `INVALID_PAYLOAD`
 */
export function readPayload(entry: ResumeEntry, schema: JSONValue | undefined): JSONValue {
  const payload = payloadOf(entry);
  if (!isJsonObject(schema)) return payload;
  if (!isJsonObject(payload)) throw invalid(entry, 'expected an object.');
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const missing = required.filter((key) => !Object.hasOwn(payload, key));
  if (missing.length > 0) throw invalid(entry, `missing required keys: ${missing.join(', ')}.`);
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  checkKeys(entry, payload, Object.keys(properties));
  checkTypes(entry, payload, properties);
  return payload;
}

/** The client wrote the keys, so a message holds no more than a few of them, and not all of a long one. */
function checkKeys(entry: ResumeEntry, payload: Fields, known: readonly string[]): void {
  const unknown = Object.keys(payload).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, 4).map((key) => JSON.stringify(key.slice(0, 64)));
  throw invalid(entry, `unknown keys: ${named.join(', ')}. Known keys: ${known.join(', ')}.`);
}

type Fields = { readonly [key: string]: JSONValue };

function checkTypes(entry: ResumeEntry, payload: Fields, properties: Fields): void {
  for (const [key, value] of Object.entries(payload)) {
    const type = typeOf(Object.hasOwn(properties, key) ? properties[key] : undefined);
    if (type === undefined || hasType(value, type)) continue;
    throw invalid(entry, `field '${key}' must be ${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}.`);
  }
}

function typeOf(property: JSONValue | undefined): string | undefined {
  const type = isJsonObject(property) ? property.type : undefined;
  return typeof type === 'string' ? type : undefined;
}

function payloadOf(entry: ResumeEntry): JSONValue {
  try {
    return sealJson(entry.payload ?? null);
  } catch {
    throw invalid(entry, 'expected plain JSON.');
  }
}

function hasType(value: JSONValue, type: string): boolean {
  switch (type) {
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'number':
      return typeof value === 'number';
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function invalid(entry: ResumeEntry, problem: string): RunError {
  return new RunError('INVALID_PAYLOAD', [entry.interruptId, problem]);
}
