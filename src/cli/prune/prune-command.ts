import type { Command } from '../command.ts';

/** `tau prune`: removes what is settled and old. */
export const pruneCommand: Command = {
  name: 'prune',
  positionals: [],
  options: ['older-than', 'keep-audit', 'sessions', 'config', 'data', 'json', 'language'],
  summary: 'command.prune',
  examples: ['tau prune --older-than 30d', 'tau prune --older-than 30d --keep-audit 365d --sessions'],
  run: async (context) => (await import('./run-prune.ts')).runPrune(context),
};
