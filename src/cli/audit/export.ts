import { auditRows } from '../../core/audit-chain.ts';
import type { AuditLog } from '../../core/audit-log.ts';
import type { CommandContext } from '../command.ts';
import { jsonLine } from '../json-text.ts';
import { print } from '../store/print.ts';

/** `tau audit export`: every row as a line of JSON, in order. */
export async function exportRows({ io }: CommandContext, audit: AuditLog): Promise<number> {
  for await (const row of auditRows(audit)) {
    if (io.stdout.destroyed) break;
    await print(io.stdout, `${jsonLine(row)}\n`);
  }
  return 0;
}
