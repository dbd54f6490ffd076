import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import type { CatalogEntry } from './catalog.ts';
import type { JSONValue } from './json.ts';
import type { Tier } from './tier.ts';

/** SHA-256 (lower-case hex) over the RFC 8785 form of a JSON value. */
export function digestJson(value: JSONValue): string {
  return digestText(canonicalJson(value));
}

/** SHA-256 (lower-case hex) over a text. */
export function digestText(text: string): string {
  return bytesToHex(sha256(utf8.encode(text)));
}

/** The RFC 8785 form of a JSON value: equal values have the same text, and no other. */
export function canonicalJson(value: JSONValue): string {
  return canonicalize(value) ?? 'null';
}

const utf8 = new TextEncoder();

const definitions = new WeakMap<CatalogEntry, string>();

/**
 * What a tool *is*: SHA-256 over its name, description, JSON Schema, tier, effect text (or `computed`) and the
 * author's version; for a tool from outside, also over its source; for one that was withdrawn before, also over its
 * generation. An approval holds only for the definition it was asked about.
 */
export function definitionDigest(entry: CatalogEntry): string {
  const known = definitions.get(entry);
  if (known !== undefined) return known;
  const digest = digestJson({
    name: entry.name,
    description: entry.description ?? null,
    inputSchema: entry.inputSchema,
    tier: entry.tier,
    effect: typeof entry.effect === 'string' ? { text: entry.effect } : 'computed',
    version: entry.version ?? null,
    ...(entry.source === undefined ? {} : { source: entry.source }),
    ...(entry.generation === undefined ? {} : { generation: entry.generation }),
  });
  if (Object.isFrozen(entry)) definitions.set(entry, digest);
  return digest;
}

/** Whether two entries describe one tool; how often it was withdrawn does not matter. */
export function isSameDefinition(one: CatalogEntry, other: CatalogEntry): boolean {
  if (one.effect !== other.effect) return false;
  return definitionDigest(firstOf(one)) === definitionDigest(firstOf(other));
}

function firstOf(entry: CatalogEntry): CatalogEntry {
  const { generation, ...first } = entry;
  return generation === undefined ? entry : first;
}

/** What one question is about, exactly; see `ApprovalRequest.digest`. */
export function requestDigest(parts: {
  readonly id: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly effect: string;
  readonly arguments: JSONValue;
  readonly definition: string;
  readonly requester: string;
}): string {
  return digestJson({ ...parts });
}
