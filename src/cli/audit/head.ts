import type { AuditLog } from '../../core/audit-log.ts';
import type { CommandContext } from '../command.ts';
import { jsonText } from '../json-text.ts';

/** `tau audit head`: what the chain ends with, to be kept elsewhere. */
export async function showHead({ io, options }: CommandContext, audit: AuditLog): Promise<number> {
  const head = await audit.head();
  io.stdout.write(`${options.json ? jsonText(head) : `${head.seq} ${head.hash}`}\n`);
  return 0;
}
