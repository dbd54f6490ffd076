import type { Command } from '../command.ts';

/** `tau explain`: what would happen to a call, and why, without asking or running anything. */
export const explainCommand: Command = {
  name: 'explain',
  positionals: [{ name: 'TOOL' }, { name: 'ARGS_JSON', optional: true }],
  options: ['config', 'data', 'demo', 'principal', 'json', 'language'],
  summary: 'command.explain',
  examples: [
    `tau explain unlock_door '{"door":"front"}' --demo`,
    'tau explain read_thermostat --demo --json',
    'tau explain delete_notes --principal ada',
  ],
  run: async (context) => (await import('./run-explain.ts')).runExplain(context),
};
