import { auditable } from './audit-event.ts';
import type { AuditLog } from './audit-log.ts';
import type { AgentEvent, EventSink } from './events.ts';

/**
 * A sink that appends what a gate tells to an audit log. Steps of approvals are left out: the store writes their rows
 * itself, together with the step.
 */
export function auditSink(log: Pick<AuditLog, 'append'>): EventSink {
  return async (event: AgentEvent) => {
    if (event.type !== 'approval') await log.append(auditable({ ...event }), event.at);
  };
}
