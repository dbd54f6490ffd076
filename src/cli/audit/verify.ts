import { type ChainVerdict, verifyLog } from '../../core/audit-chain.ts';
import type { AuditLog } from '../../core/audit-log.ts';
import type { CommandContext } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { UsageError } from '../usage-error.ts';

/** `tau audit verify`: 0 when the chain is whole, 1 when it is not. */
export async function verify({ io, options, say }: CommandContext, audit: AuditLog): Promise<number> {
  const { head } = options;
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head)) {
    throw new UsageError(say('audit.head_format', { value: head }));
  }
  const verdict = await verifyLog(audit, head === undefined ? {} : { head });
  const text = options.json ? jsonText(verdict) : describe(verdict, say);
  io.stdout.write(`${text}\n`);
  return verdict.ok ? 0 : 1;
}

function describe(verdict: ChainVerdict, say: CommandContext['say']): string {
  if (!verdict.ok) return say(`audit.${verdict.problem}`, { seq: verdict.seq });
  const { rows, head } = verdict;
  return say('audit.whole', { rows, seq: head.seq, hash: head.hash });
}
