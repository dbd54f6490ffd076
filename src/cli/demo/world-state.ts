import { z } from 'zod';

/** The doors of the demo world. */
export const DOORS = ['front', 'back'] as const;

/** One door of the demo world. */
export type Door = (typeof DOORS)[number];

/** How cold and how warm the thermostat can be set, in degrees Celsius. */
export const CELSIUS: { readonly min: 5; readonly max: 30 } = { min: 5, max: 30 };

const lock = z.enum(['locked', 'unlocked']);

/** The shape of `world.json`. */
export const worldSchema: z.ZodType<WorldState> = z.strictObject({
  celsius: z.number().min(CELSIUS.min).max(CELSIUS.max),
  doors: z.strictObject({ front: lock, back: lock }),
  notes: z.array(z.string()),
  files: z.record(z.string(), z.string()),
});

/** Everything that can change in the demo world. */
export interface WorldState {
  /** What the thermostat is set to, and, in this well insulated world, the room's temperature. */
  readonly celsius: number;
  readonly doors: Readonly<Record<Door, 'locked' | 'unlocked'>>;
  readonly notes: readonly string[];
  /** The made-up file system: absolute path to content. */
  readonly files: Readonly<Record<string, string>>;
}

/** The demo world before anything happened in it. */
export const INITIAL_WORLD: WorldState = {
  celsius: 21,
  doors: { front: 'locked', back: 'locked' },
  notes: [],
  files: {
    '/home/demo/readme.txt': 'This file system is made up. Nothing outside of it can be reached from here.\n',
    '/home/demo/shopping.txt': 'bread\ntea\n',
    '/home/demo/letters/draft.txt': 'Dear neighbour,\n',
  },
};
