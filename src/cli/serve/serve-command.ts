import type { Command } from '../command.ts';

/** `tau serve`: the agent, its approvals and its page behind one address. */
export const serveCommand: Command = {
  name: 'serve',
  positionals: [],
  options: ['config', 'data', 'demo', 'host', 'port', 'language'],
  summary: 'command.serve',
  examples: ['tau serve --demo', 'tau serve --port 8080', 'TAU_TOKEN=… tau serve --config tau.toml'],
  run: async (context) => (await import('./run-serve.ts')).runServe(context),
};
