import type { Command } from '../command.ts';

/** How `tau token` is typed. */
export const TOKEN: Pick<Command, 'name' | 'positionals'> = {
  name: 'token',
  positionals: [{ name: 'create|list|revoke' }, { name: 'ID', optional: true }],
};
