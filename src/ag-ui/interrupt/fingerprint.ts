import type { ResumeEntry } from '@ag-ui/core';
import { digestJson } from '../../core/digest.ts';
import { type JSONValue, sealJson } from '../../core/json.ts';

/** Identifies a resume, so that a repeated request is recognised: the order of entries and keys does not matter. */
export function resumeFingerprint(entries: readonly ResumeEntry[]): string {
  const sealed = entries.map((entry): JSONValue => {
    const payload = 'payload' in entry && entry.payload !== undefined ? { payload: safe(entry.payload) } : {};
    return { interruptId: entry.interruptId.toWellFormed(), status: entry.status, ...payload };
  });
  return digestJson(sealed.map((entry) => digestJson(entry)).sort());
}

function safe(payload: unknown): JSONValue {
  try {
    return sealJson(payload);
  } catch {
    return null;
  }
}
