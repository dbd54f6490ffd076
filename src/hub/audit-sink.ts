import type { AuditLog } from '../core/audit-log.ts';
import type { AgentEvent, EventSink } from '../core/events.ts';
import { isJsonObject, type JSONValue, sealJson } from '../core/json.ts';
import { redact } from '../core/redact.ts';

/**
 * Adds what the gate tells to the audit log.
 *
 * @param options.decisions - Whether decisions are added too; a store that chains its own steps has them already.
 * @param options.redact - Paths of secrets in arguments.
 */
export function auditSink(
  audit: AuditLog,
  options: { readonly decisions: boolean; readonly redact: readonly string[] },
): EventSink {
  return async (event) => {
    if (event.type === 'approval' && !options.decisions) return;
    await audit.append(readable(event, options.redact), event.at);
  };
}

function readable(event: AgentEvent, paths: readonly string[]): { readonly [key: string]: JSONValue } {
  const args = 'arguments' in event ? { arguments: redact(event.arguments, paths) } : {};
  const text = JSON.stringify({ ...event, ...args });
  const plain = sealJson(JSON.parse(text.replace(/\\ud[89a-f][0-9a-f]{2}/gi, '\\ufffd')));
  return isJsonObject(plain) ? plain : { type: event.type };
}
