import type { Interrupt } from '@ag-ui/core';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { TierGate } from '../../core/gate.ts';
import { isJsonObject, type JSONValue, sealJson } from '../../core/json.ts';
import type { TauInterruptMetadata } from '../wire.ts';
import { interruptOnCallReason } from './interrupt-on-call.ts';
import { type Answerer, mayDecideIt, standingOf } from './standing.ts';

/** The schema of an answer to an approval. */
export const APPROVAL_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    reason: { type: 'string', description: 'Why not; the model reads it.' },
    editedArgs: { type: 'object', description: 'Other arguments to run with; they become a question of their own.' },
  },
  required: ['approved'],
} as const;

/** The schema of an answer to `interruptOnCall`. */
export const CALL_SCHEMA = {
  type: 'object',
  properties: { approved: { type: 'boolean' } },
  required: ['approved'],
} as const;

/** Whom a question is shown to. */
export interface Viewer extends Answerer {
  readonly gate: Pick<TierGate, 'policy' | 'clock'>;
  readonly reason: 'tau:approval' | 'tool_call';
}

/** A parked approval as an AG-UI interrupt. Its id is the approval's. */
export function approvalInterrupt(record: ApprovalRecord, viewer: Viewer): Interrupt {
  const { id, tool, effect, toolUseId } = record.request;
  return {
    id,
    reason: viewer.reason,
    message: `${tool}: ${effect}`,
    ...(toolUseId === undefined ? {} : { toolCallId: toolUseId }),
    responseSchema: structuredClone(APPROVAL_SCHEMA),
    ...(record.expiresAt === undefined ? {} : { expiresAt: new Date(record.expiresAt).toISOString() }),
    metadata: { tau: tauMetadata(record, viewer) },
  };
}

function tauMetadata(record: ApprovalRecord, viewer: Viewer): TauInterruptMetadata {
  const { tool, tier, effect, arguments: args, digest } = record.request;
  const status = standingOf(viewer.gate, record);
  const question = { tool, tier, effect, arguments: args, digest };
  if (status !== 'pending') return { ...question, mayDecide: false, status };
  return mayDecideIt(viewer.gate, viewer, record) ? question : { ...question, mayDecide: false };
}

/** An interrupt that a hook or tool of the developer raised. */
export function nativeInterrupt(interrupt: {
  readonly id: string;
  readonly name: string;
  readonly reason?: unknown;
}): Interrupt {
  const call = interruptOnCallReason(interrupt);
  if (call !== undefined) {
    return {
      id: interrupt.id,
      reason: 'tool_call',
      message: `Approve call to ${call.tool}?`,
      ...(call.toolUseId === undefined ? {} : { toolCallId: call.toolUseId }),
      responseSchema: structuredClone(CALL_SCHEMA),
      metadata: { strandsName: interrupt.name, tool_name: call.tool, tool_input: call.input },
    };
  }
  const reason = readable(interrupt.reason);
  return {
    id: interrupt.id,
    reason: interrupt.name === '' ? 'interrupt' : interrupt.name,
    ...(reason === undefined ? {} : { metadata: { reason } }),
  };
}

function readable(value: unknown): JSONValue | undefined {
  try {
    const sealed = sealJson(value ?? null);
    return sealed === null || (isJsonObject(sealed) && Object.keys(sealed).length === 0) ? undefined : sealed;
  } catch {
    return undefined;
  }
}
