import { auditCommand } from './audit/audit-command.ts';
import { chatCommand } from './chat/chat-command.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { explainCommand } from './explain/explain-command.ts';
import { helpCommand } from './help-command.ts';
import { initCommand } from './init/init-command.ts';
import { pruneCommand } from './prune/prune-command.ts';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  chatCommand,
  explainCommand,
  auditCommand,
  pruneCommand,
  doctorCommand,
  helpCommand(() => COMMANDS),
];
