import { type CallOrigin, type Principal, principalOf } from '../../core/call.ts';
import { readThreadKey, threadKey } from './thread-key.ts';

/**
 * The thread that a question was asked in, and whose it is: what `StrandsAgent.resumeThread` and `messagesOf` need once
 * somebody has decided it. `undefined` for a question of no thread of a bridge, such as one of a direct call.
 *
 * @param record - An `ApprovalRecord`, or anything else with `request.origin`.
 *
 * The principal is as it was when the question was asked; roles may have changed since, so look the account up where that
 * matters.
 *
 * @example
 * ```ts
 * const thread = threadOf(record);
 * if (thread !== undefined) for await (const event of bridge.resumeThread(thread.threadId, thread)) log(event.type);
 * ```
 */
export function threadOf(record: {
  readonly request: { readonly origin: CallOrigin };
}): { readonly threadId: string; readonly principal: Principal } | undefined {
  const { origin } = record.request;
  const { conversation } = origin;
  if (conversation === undefined) return undefined;
  const principal = principalOf(origin);
  const { threadId } = readThreadKey(conversation);
  return threadKey(threadId, principal) === conversation ? { threadId, principal } : undefined;
}
