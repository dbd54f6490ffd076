/**
 * Interrupts that the body of a guarded tool raises itself. The SDK runs the body again from its beginning once there is an
 * answer, so a body that may run only once cannot raise one: whoever answered would have done so for nothing.
 */
import type { ToolContext } from '@strands-agents/sdk';
import type { ToolCall } from '../core/call.ts';
import { TauError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';

/** Whether a tool raised an interrupt of its own; the SDK must see it. */
export function isInterrupt(error: unknown): error is Error {
  return error instanceof Error && error.name === 'InterruptError' && 'interrupts' in error;
}

/** The context for a body that runs at most once: its `interrupt` throws, and tells, before anybody is asked. */
export function withoutInterrupts(
  context: ToolContext,
  gate: TierGate,
  about: Omit<ToolCall, 'arguments'>,
): ToolContext {
  const interrupt: ToolContext['interrupt'] = (params) => {
    // One that brings its answer along stops nothing.
    if (params.response !== undefined) return context.interrupt(params);
    const text = refusalOf(about.tool);
    gate.reportError('interrupt', text, about);
    throw new TauError('interrupt', text);
  };
  return { ...context, interrupt };
}

function refusalOf(tool: string): string {
  return `Tool '${tool}' cannot pause with interrupt(): its body runs at most once, and would have to run again from its beginning. Ask before the call (a BeforeToolCallEvent hook, interruptOnCall), or split the tool in two`;
}
