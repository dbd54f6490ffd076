import type { Command } from '../command.ts';

/** How `tau approvals` is typed. */
export const APPROVALS: Pick<Command, 'name' | 'positionals'> = {
  name: 'approvals',
  positionals: [{ name: 'list|show|approve|reject' }, { name: 'ID', optional: true }],
};
