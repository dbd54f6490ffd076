import type { Tool } from '@strands-agents/sdk';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';

/** The tools that the page's questions are about. They take whatever a hostile model may write beside their own. */
export function houseTools(ran: string[]): readonly Tool[] {
  const note = (tool: string, args: unknown): void => void ran.push(`${tool} ${JSON.stringify(args)}`);
  const door = z.looseObject({ door: z.string() });
  const heating = z.looseObject({ celsius: z.number() });
  return [
    tauTool({
      name: 'read_thermostat',
      description: 'Reads the temperature.',
      inputSchema: z.looseObject({}),
      tier: 0,
      effect: 'Reads the temperature.',
      callback: () => ({ celsius: 19.5 }),
    }),
    tauTool({
      name: 'unlock_door',
      description: 'Unlocks a door of the house.',
      inputSchema: door,
      tier: 2,
      effect: 'Unlocks a door of the house. Anybody can come in.',
      callback: (args) => {
        note('unlock_door', args);
        return { door: args.door, state: 'unlocked' };
      },
    }),
    tauTool({
      name: 'run_shell',
      description: 'Runs one command in a made-up shell.',
      inputSchema: z.looseObject({ command: z.string() }),
      tier: 2,
      effect: 'Runs this command in a made-up shell. No real file is touched.',
      callback: (args) => note('run_shell', args),
    }),
    tauTool({
      name: 'set_heating',
      description: 'Sets the heating of the house.',
      inputSchema: heating,
      tier: 2,
      effect: (args) => `Sets the heating: ${JSON.stringify(args)}`,
      callback: (args) => note('set_heating', args),
    }),
    tauTool({
      name: 'disarm_alarm',
      description: 'Switches the alarm off.',
      inputSchema: z.looseObject({}),
      tier: 2,
      effect: 'Switches the alarm off. Grace decides.',
      callback: (args) => note('disarm_alarm', args),
    }),
  ];
}
