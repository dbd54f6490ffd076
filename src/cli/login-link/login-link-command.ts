import type { Command } from '../command.ts';

/** `tau login-link`: a link that opens the page once. */
export const loginLinkCommand: Command = {
  name: 'login-link',
  positionals: [],
  options: ['principal', 'json', 'config', 'data', 'language'],
  summary: 'command.login_link',
  examples: ['tau login-link', 'tau login-link --principal ada'],
  run: async (context) => (await import('./run-login-link.ts')).runLoginLink(context),
};
