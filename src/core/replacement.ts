import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import { type Principal, principalOf } from './call.ts';
import { digestJson } from './digest.ts';
import type { Clock } from './platform.ts';

/** How long a process of an earlier version may take from closing the old question to asking the new one, in milliseconds. */
const SOON_MS = 10_000;

const EDITED = 'edited by ';

/** Why a question that was edited is void; `wasEdited` reads it. */
export function editedBy({ kind, id }: Principal): string {
  return `${EDITED}${kind} '${id}'`;
}

/**
 * The id of the question that replaces an edited one. A question is edited once at most, so the id is as new as a random
 * one; that it follows from the old one lets whoever waits for that one, in any process, find it.
 */
export function editIdOf(id: string): string {
  return digestJson({ editOf: id });
}

/** Whether a question is void because a person changed its arguments, so that another one stands for it. */
export function wasEdited({ kind, status, closedBecause }: ApprovalRecord): boolean {
  return kind === 'question' && status === 'void' && closedBecause?.startsWith(EDITED) === true;
}

/**
 * The question that replaced an edited one. The two change in one step; an earlier version that shares the store takes
 * two, so this waits a moment for it.
 *
 * @returns `undefined` when there is none. Rejects when the store is broken.
 */
export async function replacementOf(
  store: ApprovalStore,
  clock: Clock,
  edited: ApprovalRecord,
): Promise<ApprovalRecord | undefined> {
  const id = editIdOf(edited.id);
  const { promise: created, resolve } = Promise.withResolvers<void>();
  const unwatch = store.watch((changed) => {
    if (changed === id) resolve();
  });
  const stopTimer = clock.after(SOON_MS, resolve);
  try {
    const found = await store.get(id);
    if (found !== undefined) return checked(found, edited);
    await created;
    return checked(await store.get(id), edited);
  } finally {
    stopTimer();
    unwatch();
  }
}

/** What stands under the id must be about the same call of the same requester. */
function checked(found: ApprovalRecord | undefined, edited: ApprovalRecord): ApprovalRecord | undefined {
  const same =
    found?.editOf === edited.id &&
    found.kind === 'question' &&
    found.request.tool === edited.request.tool &&
    principalOf(found.request.origin).id === principalOf(edited.request.origin).id;
  return same ? found : undefined;
}
