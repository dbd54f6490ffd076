import type { Interrupt } from '@copilotkit/react-core/v2';
import { z } from 'zod';

/** What tau says about a call that waits: exactly what would run. */
const tauApproval = z.object({
  tool: z.string(),
  tier: z.number(),
  effect: z.string(),
  arguments: z.json(),
  digest: z.string(),
});

export type TauApproval = z.infer<typeof tauApproval>;

/** Reads the metadata of an interrupt; `undefined` for a question that is not tau's, or cannot be shown. */
export function tauApprovalOf(interrupt: Interrupt): TauApproval | undefined {
  return tauApproval.safeParse(interrupt.metadata?.tau).data;
}
