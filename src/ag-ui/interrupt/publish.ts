import type { Interrupt } from '@ag-ui/core';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import { isJsonObject, type JSONValue, sealJson } from '../../core/json.ts';
import { interruptOnCallReason } from './interrupt-on-call.ts';

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

/** A parked approval as an AG-UI interrupt. Its id is the approval's. */
export function approvalInterrupt(record: ApprovalRecord, reason: 'tau:approval' | 'tool_call'): Interrupt {
  const { id, tool, tier, effect, arguments: args, digest, toolUseId } = record.request;
  return {
    id,
    reason,
    message: `${tool}: ${effect}`,
    ...(toolUseId === undefined ? {} : { toolCallId: toolUseId }),
    responseSchema: structuredClone(APPROVAL_SCHEMA),
    ...(record.expiresAt === undefined ? {} : { expiresAt: new Date(record.expiresAt).toISOString() }),
    metadata: { tau: { tool, tier, effect, arguments: args, digest } },
  };
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
