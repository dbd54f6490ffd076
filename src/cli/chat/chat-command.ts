import type { Command } from '../command.ts';

/** `tau chat`: a conversation in which tier-2 calls ask the person at the terminal. */
export const chatCommand: Command = {
  name: 'chat',
  positionals: [],
  options: ['config', 'data', 'demo', 'language'],
  summary: 'command.chat',
  examples: [
    'tau chat --demo',
    "printf 'unlock the front door\\ny\\n' | tau chat --demo",
    'tau chat --config tau.toml',
  ],
  run: async (context) => (await import('./run-chat.ts')).runChat(context),
};
