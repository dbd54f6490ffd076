import type { Command } from '../command.ts';

/** `tau logout`: ends page sessions. */
export const logoutCommand: Command = {
  name: 'logout',
  positionals: [],
  options: ['principal', 'json', 'config', 'data', 'language'],
  summary: 'command.logout',
  examples: ['tau logout', 'tau logout --principal ada'],
  run: async (context) => (await import('./run-logout.ts')).runLogout(context),
};
