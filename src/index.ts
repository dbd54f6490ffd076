export {
  type ApprovalRecord,
  type ApprovalStatus,
  type ApprovalStep,
  type CallPosition,
  type DecisionRecord,
  type DeliveryReceipt,
  isSettled,
  type OutcomeRecord,
  stepApproval,
  type Transition,
} from './core/approval-record.ts';
export type { ApprovalFilter, ApprovalPage, ApprovalStore, ParkedTurn } from './core/approval-store.ts';
export { type Answer, type Approver, type ApproverContext, AutoRejectApprover, Decision } from './core/approver.ts';
export {
  auditRows,
  type ChainProblem,
  type ChainVerdict,
  rowHash,
  verifyChain,
  verifyLog,
} from './core/audit-chain.ts';
export type { AuditHead, AuditLog, AuditRow } from './core/audit-log.ts';
export type { AuditRedaction } from './core/audit-redact.ts';
export { auditSink } from './core/audit-sink.ts';
export { ANONYMOUS, type ApprovalRequest, type CallOrigin, type Principal, type ToolCall } from './core/call.ts';
export type { CancelInput, CancelResult } from './core/cancel.ts';
export { type CatalogEntry, ToolCatalog } from './core/catalog.ts';
export type { Channel, ChannelAnswer, Delivery, Shown } from './core/channel.ts';
export type { DecideResult, DecisionInput } from './core/decide.ts';
export type { Desk, DeskApprover } from './core/desk.ts';
export { definitionDigest, digestJson } from './core/digest.ts';
export type { EditInput, EditResult } from './core/edit.ts';
export { ConfigError, errorText, TauError } from './core/errors.ts';
export { escapeText, showJson } from './core/escape.ts';
export type {
  AgentEvent,
  ApprovalEvent,
  ApprovalOutcome,
  ErrorEvent,
  EventSink,
  ToolCallEvent,
  TurnLimitEvent,
} from './core/events.ts';
export type { Exemption } from './core/exemptions.ts';
export { TierGate } from './core/gate.ts';
export { type Language, type MessageKey, message, messageTable } from './core/i18n.ts';
export { Inbox, type InboxOptions } from './core/inbox.ts';
export { isSealed, type JSONSchema, type JSONValue, jsonEquals, sealJson } from './core/json.ts';
export type { AttemptOptions, CheckOptions, Described, RunOptions, TierGateOptions } from './core/options.ts';
export type { CallOutcome } from './core/outcome.ts';
export { ParkingApprover } from './core/parking-approver.ts';
export type { Clock, Logger, Random } from './core/platform.ts';
export { defaultPolicy, type Policy } from './core/policy.ts';
export { redact } from './core/redact.ts';
export type { RetryInput, RetryResult } from './core/retry.ts';
export type { RunningBody } from './core/running-bodies.ts';
export { ServedChannel } from './core/served-channel.ts';
export type { Ticket } from './core/ticket.ts';
export { Tier } from './core/tier.ts';
export type { StoredValue, ValueStore } from './core/value-store.ts';
export type { Refusal, RefusalReason, Verdict } from './core/verdict.ts';
