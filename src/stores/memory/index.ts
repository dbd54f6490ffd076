export type { ApprovalFilter, ApprovalPage, ApprovalStore, ParkedTurn } from '../../core/approval-store.ts';
export type { AuditHead, AuditLog, AuditRow } from '../../core/audit-log.ts';
export { MemoryApprovalStore } from '../../core/memory-store.ts';
export type { StoredValue, ValueStore } from '../../core/value-store.ts';
export { MemoryAuditLog } from './memory-audit-log.ts';
export { MemoryValueStore } from './memory-value-store.ts';
