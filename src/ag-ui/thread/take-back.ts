import { errorText } from '../../core/errors.ts';
import type { TierGate } from '../../core/gate.ts';
import { editIdOf } from '../../core/replacement.ts';
import type { Request } from '../bridge-parts.ts';
import { CHANNEL } from '../interrupt/apply.ts';
import type { ApprovalEntry } from '../interrupt/plan.ts';

/**
 * Takes back the yeses that a request gave, as far as no body has started. For a request that is stopped before there is a
 * run that would end with them: whoever said stop wants none of them to start later.
 */
export async function takeBack(
  { parts, context, input }: Request,
  gate: TierGate,
  planned: readonly ApprovalEntry[],
): Promise<void> {
  const { principal: by } = context;
  for (const { record, answer } of planned) {
    if (answer.decision !== 'approved') continue;
    const id = answer.editedArgs === undefined ? record.id : editIdOf(record.id);
    try {
      const { status, decision } = (await gate.store.get(id)) ?? {};
      const isOwn = decision?.channel === CHANNEL && decision.by.id === by.id && decision.by.kind === by.kind;
      if (status === 'approved' && isOwn)
        await gate.cancel(id, { by, channel: CHANNEL, because: 'the run was stopped' });
    } catch (error) {
      const run = JSON.stringify(input.runId);
      parts.log.error(`Run ${run} was stopped, and its approval ${id} could not be taken back: ${errorText(error)}`);
    }
  }
}
