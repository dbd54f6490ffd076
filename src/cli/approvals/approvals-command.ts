import type { Command } from '../command.ts';
import { APPROVALS } from './typed.ts';

/** `tau approvals`: the questions of the running hub, and answers to them. */
export const approvalsCommand: Command = {
  ...APPROVALS,
  options: ['status', 'digest', 'reason', 'edit', 'json', 'url', 'config', 'data', 'language'],
  summary: 'command.approvals',
  examples: [
    'tau approvals list',
    'tau approvals list --status all --json',
    'tau approvals show ID',
    'tau approvals approve ID',
    'tau approvals approve ID --digest HEX',
    'tau approvals approve ID --digest HEX --edit \'{"door":"back"}\'',
    'tau approvals reject ID --reason "not at night"',
    'TAU_TOKEN=… tau approvals list --url http://127.0.0.1:8000',
  ],
  run: async (context) => (await import('./run-approvals.ts')).runApprovals(context),
};
