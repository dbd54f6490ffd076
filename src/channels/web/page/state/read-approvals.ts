import type { HubClient, Reply } from '../wire/hub-client.ts';
import { type Approval, approvalsShape } from '../wire/shapes.ts';

/** A page of approvals, and where to go on. */
export interface ApprovalsRead {
  readonly approvals: readonly Approval[];
  readonly nextCursor?: string | null | undefined;
}

/**
 * Reads the next approvals that there are to see. The hub looks at so many at a time: an answer may hold none and have more
 * behind it.
 */
export async function readApprovals(
  hub: Pick<HubClient, 'get'>,
  query: URLSearchParams,
): Promise<Reply<ApprovalsRead>> {
  const asked = new URLSearchParams(query);
  for (;;) {
    const reply = await hub.get(`/api/approvals?${asked}`, approvalsShape);
    if (!reply.ok || reply.value.approvals.length > 0 || reply.value.nextCursor == null) return reply;
    asked.set('cursor', reply.value.nextCursor);
  }
}
