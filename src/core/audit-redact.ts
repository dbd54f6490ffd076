import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';
import { leavesOf } from './audit-event.ts';
import type { AuditRow } from './audit-log.ts';
import { ConfigError } from './errors.ts';
import type { JSONValue } from './json.ts';
import { insideOf, replaceAt } from './redact.ts';

/** What of the arguments of calls the audit must not hold. */
export interface AuditRedaction {
  /** Paths into the arguments of a call, as `redact` takes them. */
  readonly paths: readonly string[];
  /** Secret of this installation, at least 16 bytes. Keep it apart from the store: with it, guesses can be tried. */
  readonly key: string | Uint8Array;
}

/** Fields of an event that may repeat what stands in its arguments. */
const TEXTS = ['effect', 'resultSummary', 'reason', 'message', 'error', 'because'] as const;

/** Shorter values stand in every other text by chance. */
const SHORTEST = 3;

/**
 * Makes what takes secrets out of an audit event: each value at one of the paths becomes `hmac:` and the hex of
 * HMAC-SHA-256 over its RFC 8785 form, so that equal values can still be found. The other texts of the event, such as
 * its effect and the summary of its result, lose the same values.
 *
 * The digest of a question still is over its true arguments.
 *
 * @throws ConfigError when there are paths, and the key is too short.
 */
export function auditRedactor({ paths, key }: AuditRedaction): (event: AuditRow['event']) => AuditRow['event'] {
  if (paths.length === 0) return (event) => event;
  const bytes = typeof key === 'string' ? utf8ToBytes(key) : key;
  if (bytes.length < 16) {
    throw new ConfigError(`the key of the audit's redaction has ${bytes.length} bytes; give 16 random ones or more`);
  }
  return redactorOf(
    paths,
    (value) => `hmac:${bytesToHex(hmac(sha256, bytes, utf8ToBytes(canonicalize(value) ?? 'null')))}`,
  );
}

type Mark = (value: JSONValue) => string;

const REDACTED = '[redacted]';

/** The same for a log, with `[redacted]` in the place of each value. */
export function logRedactor(paths: readonly string[]): (event: AuditRow['event']) => AuditRow['event'] {
  return paths.length === 0 ? (event) => event : redactorOf(paths, () => REDACTED);
}

/** Puts `mark` in the place of each value at one of the paths, and wherever another text of the event repeats it. */
function redactorOf(paths: readonly string[], mark: Mark): (event: AuditRow['event']) => AuditRow['event'] {
  return (event) => {
    const { arguments: args } = event;
    if (args === undefined) return event;
    const secrets: JSONValue[] = [];
    const hidden = replaceAt(args, paths, (value) => {
      secrets.push(value);
      return mark(value);
    });
    return secrets.length === 0 ? event : { ...event, ...scrubbed(event, secrets, mark), arguments: hidden };
  };
}

function scrubbed(event: AuditRow['event'], secrets: readonly JSONValue[], mark: Mark): AuditRow['event'] {
  const values = secrets
    .flatMap(allLeavesOf)
    .filter((value) => typeof value !== 'boolean' && String(value).length >= SHORTEST)
    .sort((a, b) => String(b).length - String(a).length);
  const fields: { [key: string]: JSONValue } = {};
  for (const name of TEXTS) {
    const text = event[name];
    if (typeof text !== 'string') continue;
    fields[name] = values.reduce<string>((rest, value) => hide(rest, String(value), mark(value)), text);
  }
  return fields;
}

/** The leaves of a value, and of the JSON in its texts. */
function allLeavesOf(value: JSONValue): readonly (string | number | boolean)[] {
  return leavesOf(value).flatMap((leaf) => {
    const inner = typeof leaf === 'string' ? insideOf(leaf) : 'no_json';
    return typeof inner === 'string' ? [leaf] : [leaf, ...allLeavesOf(inner.value)];
  });
}

/** A text without a secret, also where the text was cut off in the middle of it. */
function hide(text: string, secret: string, mark: string): string {
  // As it is, as JSON writes it, and as JSON in a text of JSON writes it.
  const forms = [secret, escaped(secret), escaped(escaped(secret))];
  const whole = forms.reduce((rest, form) => rest.replaceAll(form, mark), text);
  return whole.endsWith('…') ? forms.reduce((rest, form) => hideCut(rest, form, mark), whole) : whole;
}

function hideCut(text: string, secret: string, mark: string): string {
  for (let length = secret.length - 1; length >= SHORTEST; length--) {
    const end = `${secret.slice(0, length)}…`;
    if (text.endsWith(end)) return `${text.slice(0, -end.length)}${mark}…`;
  }
  return text;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
