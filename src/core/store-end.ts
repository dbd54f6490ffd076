import type { OutcomeRecord, Transition } from './approval-record.ts';
import type { ToolCall } from './call.ts';
import { type JSONValue, sealJson } from './json.ts';
import type { Described } from './options.ts';
import type { GateParts } from './parts.ts';
import type { RunningBody } from './running-bodies.ts';

/** A body that has ended, and the approval that it used up. */
export interface EndedBody {
  readonly call: ToolCall;
  /** What the gate tells of it while it is at work. */
  readonly body: RunningBody | undefined;
  readonly approvalId: string;
  readonly nonce: string;
  readonly described: Described;
}

/**
 * Stores how a body ended; never rejects. A store that fails here leaves the record consumed, so nothing runs it again,
 * and is offered the end again until it takes it; so long the body counts as being at work.
 */
export async function storeEnd(parts: GateParts, ended: EndedBody): Promise<void> {
  const { store, late, running, atWork } = parts;
  const { approvalId, nonce, body } = ended;
  const end = outcomeOf(parts, ended);
  const finish = async (): Promise<void> => noteFinished(parts, ended, end, await store.finish(approvalId, nonce, end));
  try {
    await finish();
  } catch (error) {
    tell(parts, ended, `the outcome of '${ended.call.tool}' could not be stored`, error);
    late.keep(approvalId, finish, () => {
      running.delete(approvalId);
      if (body !== undefined) atWork.end(body);
    });
  }
}

function outcomeOf(parts: GateParts, ended: EndedBody): OutcomeRecord {
  const { status, result } = ended.described;
  return {
    status: status === 'success' ? 'done' : 'failed',
    at: parts.steady.now(),
    ...storable(parts, ended, result),
  };
}

/** A result that cannot be stored is left out: that the body ended counts more than what it said. */
function storable(parts: GateParts, ended: EndedBody, result: Described['result']): { readonly result?: JSONValue } {
  try {
    return result === undefined ? {} : { result: sealJson(result()) };
  } catch (error) {
    tell(parts, ended, `the result of '${ended.call.tool}' could not be stored`, error);
    return {};
  }
}

function noteFinished(parts: GateParts, ended: EndedBody, end: OutcomeRecord, finished: Transition): void {
  if (finished.ok || hasIt(finished, end)) return;
  const status = finished.reason === 'illegal' ? finished.record.status : 'gone';
  tell(parts, ended, `the outcome of '${ended.call.tool}' could not be stored: the approval is ${status} by now`);
}

/** Whether the store has taken the end before, and failed only to say so. */
function hasIt(finished: Extract<Transition, { ok: false }>, { status, at }: OutcomeRecord): boolean {
  if (finished.reason !== 'illegal') return false;
  const { outcome } = finished.record;
  return outcome?.status === status && outcome.at === at;
}

function tell({ reporter }: GateParts, { call }: EndedBody, text: string, error?: unknown): void {
  reporter.fault('store', text, { ...call, error });
}
