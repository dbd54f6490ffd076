export type { ApprovalFilter, ApprovalPage, ApprovalStore, ParkedTurn } from '../../core/approval-store.ts';
export { MemoryApprovalStore } from '../../core/memory-store.ts';
