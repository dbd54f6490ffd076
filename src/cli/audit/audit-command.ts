import type { Command } from '../command.ts';

/** `tau audit`: what happened, whether nobody changed it, and what it ends with. */
export const auditCommand: Command = {
  name: 'audit',
  positionals: [{ name: 'verify|export|tail|head' }],
  options: ['head', 'follow', 'config', 'data', 'json', 'language'],
  summary: 'command.audit',
  examples: ['tau audit verify', 'tau audit head', 'tau audit export > audit.jsonl', 'tau audit tail --follow'],
  run: async (context) => (await import('./run-audit.ts')).runAudit(context),
};
