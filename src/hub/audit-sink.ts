import { auditable } from '../core/audit-event.ts';
import type { AuditLog } from '../core/audit-log.ts';
import { auditRedactor } from '../core/audit-redact.ts';
import type { EventSink } from '../core/events.ts';

/**
 * Adds what the gate tells to the audit log.
 *
 * @param options.decisions - Whether decisions are added too; a store that chains its own steps has them already.
 * @param options.redact - Paths of secrets in arguments. They are hidden as `auditRedactor` does, in the other texts of an
 *   event too, under a key of this process. A log may hide more: nothing that it would look for stays behind in a text.
 */
export function auditing(
  audit: AuditLog,
  options: { readonly decisions: boolean; readonly redact: readonly string[] },
): EventSink {
  const hide = auditRedactor({ paths: options.redact, key: crypto.getRandomValues(new Uint8Array(32)) });
  return async (event) => {
    if (event.type === 'approval' && !options.decisions) return;
    await audit.append(hide(auditable({ ...event })), event.at);
  };
}
