import type { Command } from '../command.ts';
import { TOKEN } from './typed.ts';

/** `tau token`: bearer tokens of the hub. */
export const tokenCommand: Command = {
  ...TOKEN,
  options: ['principal', 'scopes', 'json', 'config', 'data', 'language'],
  summary: 'command.token',
  examples: ['tau token create --principal owner --scopes run', 'tau token list', 'tau token revoke ID'],
  run: async (context) => (await import('./run-token.ts')).runToken(context),
};
