import type { ApprovalRequest } from './call.ts';

/** Requests that this process made and froze, with the definition they were made for. */
const own = new WeakMap<ApprovalRequest, string>();

/** Remembers a request whose digest was computed just now. It must be frozen. */
export function rememberRequest(request: ApprovalRequest, definition: string): void {
  own.set(request, definition);
}

/** Whether a request is the very object that was made here for this definition, so that its digest still holds. */
export function isAsMade(request: ApprovalRequest, definition: string): boolean {
  return own.get(request) === definition;
}
