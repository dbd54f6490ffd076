import { freezeOrigin, type ToolCall } from './call.ts';
import type { ToolCatalog } from './catalog.ts';
import { errorText } from './errors.ts';
import type { ToolCallEvent } from './events.ts';
import { isSealed, type JSONValue, sealJson } from './json.ts';
import type { Described } from './options.ts';
import { type CallOutcome, describeValue, truncate } from './outcome.ts';
import type { GateParts } from './parts.ts';
import type { Tier } from './tier.ts';

/** Emits the `tool_call` event of a call that ran or was refused. */
export function reportCall<T>(
  parts: Pick<GateParts, 'catalog' | 'steady' | 'reporter'>,
  call: ToolCall,
  outcome: CallOutcome<T>,
  describe?: (value: T) => Described,
): void {
  const end = endOf(outcome, describe);
  if (end === undefined) return;
  parts.reporter.emit({
    type: 'tool_call',
    at: parts.steady.now(),
    tool: call.tool,
    tier: tierOf(parts.catalog, call.tool),
    arguments: readable(call.arguments),
    ...(call.toolUseId === undefined ? {} : { toolUseId: call.toolUseId }),
    ...end,
    origin: freezeOrigin(call.origin),
  });
}

/** A catalog that fails was the reason to refuse; it must not keep the refusal from being told. */
function tierOf(catalog: ToolCatalog, tool: string): Tier | undefined {
  try {
    return catalog.get(tool)?.tier;
  } catch {
    return undefined;
  }
}

type End = Pick<ToolCallEvent, 'status' | 'resultSummary' | 'approval' | 'reason' | 'approvalId' | 'durationMs'>;

function endOf<T>(outcome: CallOutcome<T>, describe: ((value: T) => Described) | undefined): End | undefined {
  switch (outcome.status) {
    case 'success': {
      const described = describeValue(outcome.value, describe);
      return { status: described.status, resultSummary: truncate(described.summary), ...howItRan(outcome) };
    }
    case 'error':
      return { status: 'error', resultSummary: truncate(errorText(outcome.error)), ...howItRan(outcome) };
    case 'refused': {
      const { approval, reason, refusal } = outcome.refusal;
      return {
        status: 'error',
        resultSummary: truncate(refusal),
        approval,
        reason,
        ...idOf(outcome),
        durationMs: outcome.durationMs,
      };
    }
    case 'replayed':
    case 'pending':
    case 'suspended':
      return undefined;
    default:
      return outcome satisfies never;
  }
}

function howItRan(
  outcome: Extract<CallOutcome<unknown>, { status: 'success' | 'error' }>,
): Pick<End, 'approval' | 'approvalId' | 'durationMs'> {
  return { approval: outcome.approval, ...idOf(outcome), durationMs: outcome.durationMs };
}

function idOf(outcome: { readonly approvalId?: string }): { readonly approvalId?: string } {
  return outcome.approvalId === undefined ? {} : { approvalId: outcome.approvalId };
}

/** Arguments as an event can carry them; those that are not JSON are told as text. */
function readable(args: unknown): JSONValue {
  if (isSealed(args)) return args;
  try {
    return sealJson(args);
  } catch (error) {
    return `(not plain JSON: ${errorText(error)})`;
  }
}
