import { approvalsCommand } from './approvals/approvals-command.ts';
import { auditCommand } from './audit/audit-command.ts';
import { chatCommand } from './chat/chat-command.ts';
import type { Command } from './command.ts';
import { doctorCommand } from './doctor/doctor-command.ts';
import { explainCommand } from './explain/explain-command.ts';
import { helpCommand } from './help-command.ts';
import { initCommand } from './init/init-command.ts';
import { loginLinkCommand } from './login-link/login-link-command.ts';
import { logoutCommand } from './logout/logout-command.ts';
import { pruneCommand } from './prune/prune-command.ts';
import { serveCommand } from './serve/serve-command.ts';
import { tokenCommand } from './token/token-command.ts';

/** Every command, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  serveCommand,
  chatCommand,
  approvalsCommand,
  explainCommand,
  auditCommand,
  pruneCommand,
  tokenCommand,
  loginLinkCommand,
  logoutCommand,
  doctorCommand,
  helpCommand(() => COMMANDS),
];
