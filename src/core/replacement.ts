import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import { type Principal, principalOf } from './call.ts';
import { digestJson } from './digest.ts';

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
 * The question that replaced an edited one; the store changes the two in one step.
 *
 * @returns `undefined` when there is none. Rejects when the store is broken.
 */
export async function replacementOf(store: ApprovalStore, edited: ApprovalRecord): Promise<ApprovalRecord | undefined> {
  return checked(await store.get(editIdOf(edited.id)), edited);
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
