import type { ToolCall } from './call.ts';

/**
 * The single-use right to run one exact call, issued by one gate and redeemed at the tool body. Only the object the
 * gate issued counts; a copy is worthless.
 */
export interface Ticket {
  /** Frozen: exactly what will run. */
  readonly call: ToolCall;
}

/** Makes the frozen, otherwise empty object that a ticket is. */
export function makeTicket(call: ToolCall): Ticket {
  return Object.freeze({ call: Object.freeze(call) });
}
