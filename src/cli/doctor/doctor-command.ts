import type { Command } from '../command.ts';

/** `tau doctor`: what works, what does not, and what to do. */
export const doctorCommand: Command = {
  name: 'doctor',
  positionals: [],
  options: ['config', 'data', 'demo', 'json', 'language'],
  summary: 'command.doctor',
  examples: ['tau doctor', 'tau doctor --demo --json'],
  run: async (context) => (await import('./run-doctor.ts')).runDoctor(context),
};
