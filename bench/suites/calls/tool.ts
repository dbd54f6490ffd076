import { z } from 'zod';

/** The tool of every variant: same schema, same body. The body counts how often it ran. */
export function countingTool(): {
  readonly definition: {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: typeof inputSchema;
    readonly callback: (input: z.output<typeof inputSchema>) => string;
  };
  ran(): number;
} {
  let count = 0;
  return {
    definition: {
      name: TOOL,
      description: 'Switches a lamp.',
      inputSchema,
      callback: ({ a, text }) => {
        count++;
        return `${text}: ${a}`;
      },
    },
    ran: () => count,
  };
}

/** Its name. */
export const TOOL = 'switch_lamp';

const inputSchema: z.ZodObject<{ a: z.ZodNumber; text: z.ZodString }> = z.object({ a: z.number(), text: z.string() });
