import { auditable } from '../core/audit-event.ts';
import type { AuditLog } from '../core/audit-log.ts';
import type { EventSink } from '../core/events.ts';
import { redact } from '../core/redact.ts';

/**
 * Adds what the gate tells to the audit log.
 *
 * @param options.decisions - Whether decisions are added too; a store that chains its own steps has them already.
 * @param options.redact - Paths of secrets in arguments.
 */
export function auditing(
  audit: AuditLog,
  options: { readonly decisions: boolean; readonly redact: readonly string[] },
): EventSink {
  return async (event) => {
    if (event.type === 'approval' && !options.decisions) return;
    const args = 'arguments' in event ? { arguments: redact(event.arguments, options.redact) } : {};
    await audit.append(auditable({ ...event, ...args }), event.at);
  };
}
