import { Tier } from 'strands-tau';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';

const doors = ['front', 'back'] as const;

/** A door of the house. */
export type Door = (typeof doors)[number];

/** One run of a tool's body: the only proof that something was done. */
export interface Deed {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** What the page shows beside the conversation; the server says it, not the model. */
export interface HouseState {
  readonly doors: Readonly<Record<Door, 'locked' | 'unlocked'>>;
  readonly display: string;
  readonly deeds: readonly Deed[];
}

type HouseTool = ReturnType<typeof tauTool>;

/** A made-up house with two doors and a display at the gate. */
export class House {
  #state: HouseState = { doors: { front: 'locked', back: 'locked' }, display: '', deeds: [] };

  get state(): HouseState {
    return this.#state;
  }

  /** What an agent can do here. Looking needs nobody; what acts on the world waits for a person. */
  tools(): HouseTool[] {
    return [this.#readLock(), this.#unlockDoor(), this.#lockDoor(), this.#showOnDisplay()];
  }

  #readLock(): HouseTool {
    return tauTool({
      name: 'read_lock',
      description: 'Tells whether a door is locked.',
      inputSchema: oneDoor,
      tier: Tier.Read,
      effect: 'Looks at a lock.',
      callback: ({ door }) => {
        this.#did('read_lock', { door });
        return this.#state.doors[door];
      },
    });
  }

  #unlockDoor(): HouseTool {
    return tauTool({
      name: 'unlock_door',
      description: 'Unlocks a door.',
      inputSchema: oneDoor,
      tier: Tier.Physical,
      effect: (args) => `Unlocks the ${oneDoor.parse(args).door} door. Anybody can come in.`,
      callback: ({ door }) => {
        this.#did('unlock_door', { door }, { doors: { ...this.#state.doors, [door]: 'unlocked' } });
        return 'unlocked';
      },
    });
  }

  #lockDoor(): HouseTool {
    return tauTool({
      name: 'lock_door',
      description: 'Locks a door.',
      inputSchema: oneDoor,
      tier: Tier.Physical,
      effect: (args) => `Locks the ${oneDoor.parse(args).door} door. Nobody comes in without a key.`,
      callback: ({ door }) => {
        this.#did('lock_door', { door }, { doors: { ...this.#state.doors, [door]: 'locked' } });
        return 'locked';
      },
    });
  }

  #showOnDisplay(): HouseTool {
    return tauTool({
      name: 'show_on_display',
      description: 'Shows a text on the display at the gate.',
      inputSchema: z.strictObject({ text: z.string().min(1).max(500) }),
      tier: Tier.Physical,
      effect: 'Shows this text at the gate. Everybody who passes can read it.',
      callback: ({ text }) => {
        this.#did('show_on_display', { text }, { display: text });
        return 'shown';
      },
    });
  }

  #did(tool: string, args: Deed['arguments'], change: Partial<HouseState> = {}): void {
    this.#state = { ...this.#state, ...change, deeds: [...this.#state.deeds, { tool, arguments: args }] };
  }
}

const oneDoor = z.strictObject({ door: z.enum(doors) });
