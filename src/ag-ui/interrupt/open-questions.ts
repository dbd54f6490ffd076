import type { Interrupt } from '@ag-ui/core';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { Request } from '../bridge-parts.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { approvalInterrupt, nativeInterrupt } from './publish.ts';
import type { Waiting } from './waiting.ts';

/**
 * What a thread waits for, for a client that has lost it: answering all of these is a complete resume. They are made
 * anew from the records and the checkpoint; what a session says was shown is not shown again. Of a question that is over
 * and still has to be addressed it says so.
 */
export async function openQuestions(
  thread: ThreadAgent,
  waiting: Waiting,
  { parts, key, context }: Pick<Request, 'parts' | 'key' | 'context'>,
): Promise<readonly Interrupt[]> {
  const natives = [...waiting.natives].map(([id, { name, reason }]) => nativeInterrupt({ id, name, reason }));
  const gate = thread.guarded?.gate;
  if (gate === undefined) return natives;
  const open = [...waiting.approvals.values()];
  const asked = open.length + natives.length > 0 ? open : await decidedMeanwhile(thread, key, waiting);
  const viewer = { ...context, gate, reason: parts.config.approvalReason ?? 'tau:approval' };
  return [...asked.filter(isQuestion).map((record) => approvalInterrupt(record, viewer)), ...natives];
}

/** Questions that were all decided elsewhere still wait for an answer, which wakes the run that has them. */
async function decidedMeanwhile(
  { guarded }: ThreadAgent,
  conversation: string,
  { published }: Waiting,
): Promise<readonly ApprovalRecord[]> {
  const records = await Promise.all([...published].map((id) => guarded?.gate.store.get(id)));
  return records.flatMap((record) => {
    const isOurs = record?.request.origin.conversation === conversation;
    return isOurs && record.consumedAt === undefined ? [record] : [];
  });
}

function isQuestion({ kind }: ApprovalRecord): boolean {
  return kind === 'question';
}
