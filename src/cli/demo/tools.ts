import type { Tool } from '@strands-agents/sdk';
import { z } from 'zod';
import type { Language } from '../../core/i18n.ts';
import { Tier } from '../../core/tier.ts';
import { tauTool } from '../../strands/index.ts';
import { demoEffects } from './effects.ts';
import { runInWorld } from './shell.ts';
import type { DemoWorld } from './world.ts';
import { CELSIUS, DOORS } from './world-state.ts';

const nothing = z.strictObject({});
const oneTemperature = z.strictObject({ celsius: z.number().min(CELSIUS.min).max(CELSIUS.max) });
const oneDoor = z.strictObject({ door: z.enum(DOORS).describe('Which door.') });

/**
 * The tools of the demo world: a small house with two doors, a thermostat, notes and a made-up shell. Each writes to
 * `world.log` before it does anything.
 *
 * @param language - Of the effects that a person reads; names and descriptions, for the model, are English.
 */
export function demoTools(world: DemoWorld, language: Language): readonly Tool[] {
  return [...readingTools(world, language), ...writingTools(world, language), ...physicalTools(world, language)];
}

function readingTools(world: DemoWorld, language: Language): readonly Tool[] {
  const effects = demoEffects[language];
  return [
    tauTool({
      name: 'read_thermostat',
      description: 'Reads the temperature of the house in degrees Celsius.',
      inputSchema: nothing,
      tier: Tier.Read,
      effect: effects.readThermostat,
      callback: () => {
        world.started('read_thermostat', {});
        return { celsius: world.read().celsius };
      },
    }),
    tauTool({
      name: 'read_lock',
      description: 'Tells whether a door of the house is locked or unlocked.',
      inputSchema: oneDoor,
      tier: Tier.Read,
      effect: (args) => effects.readLock(oneDoor.parse(args).door),
      callback: ({ door }) => {
        world.started('read_lock', { door });
        return { door, state: world.read().doors[door] };
      },
    }),
    tauTool({
      name: 'read_notes',
      description: 'Reads all notes, oldest first.',
      inputSchema: nothing,
      tier: Tier.Read,
      effect: effects.readNotes,
      callback: () => {
        world.started('read_notes', {});
        return { notes: [...world.read().notes] };
      },
    }),
  ];
}

function writingTools(world: DemoWorld, language: Language): readonly Tool[] {
  const effects = demoEffects[language];
  return [
    tauTool({
      name: 'add_note',
      description: 'Adds one note.',
      inputSchema: z.strictObject({ text: z.string().min(1).max(2000).describe('The text of the note.') }),
      tier: Tier.DigitalWrite,
      effect: effects.addNote,
      callback: ({ text }) => {
        world.started('add_note', { text });
        const { notes } = world.change((state) => ({ ...state, notes: [...state.notes, text] }));
        return { added: text, notes: notes.length };
      },
    }),
    tauTool({
      name: 'set_thermostat',
      description: `Sets the heating of the house, from ${CELSIUS.min} to ${CELSIUS.max} degrees Celsius.`,
      inputSchema: oneTemperature,
      tier: Tier.DigitalWrite,
      effect: (args) => effects.setThermostat(oneTemperature.parse(args).celsius),
      callback: ({ celsius }) => {
        world.started('set_thermostat', { celsius });
        return { celsius: world.change((state) => ({ ...state, celsius })).celsius };
      },
    }),
    tauTool({
      name: 'delete_notes',
      description: 'Deletes all notes. This cannot be undone.',
      inputSchema: nothing,
      // Nothing physical, but nobody can undo it: a person is asked.
      tier: Tier.Physical,
      effect: effects.deleteNotes,
      callback: () => {
        world.started('delete_notes', {});
        const deleted = world.read().notes.length;
        world.change((state) => ({ ...state, notes: [] }));
        return { deleted };
      },
    }),
  ];
}

function physicalTools(world: DemoWorld, language: Language): readonly Tool[] {
  const effects = demoEffects[language];
  return [
    tauTool({
      name: 'unlock_door',
      description: 'Unlocks a door of the house.',
      inputSchema: oneDoor,
      tier: Tier.Physical,
      effect: (args) => effects.unlockDoor(oneDoor.parse(args).door),
      callback: ({ door }) => {
        world.started('unlock_door', { door });
        const { doors } = world.change((state) => ({ ...state, doors: { ...state.doors, [door]: 'unlocked' } }));
        return { door, state: doors[door] };
      },
    }),
    tauTool({
      name: 'lock_door',
      description: 'Locks a door of the house.',
      inputSchema: oneDoor,
      tier: Tier.Physical,
      effect: (args) => effects.lockDoor(oneDoor.parse(args).door),
      callback: ({ door }) => {
        world.started('lock_door', { door });
        const { doors } = world.change((state) => ({ ...state, doors: { ...state.doors, [door]: 'locked' } }));
        return { door, state: doors[door] };
      },
    }),
    tauTool({
      name: 'run_shell',
      description:
        'Runs one command in the made-up shell of the demo world: ls, cat, echo, date, pwd, whoami, rm. It is simulated: no process starts and no real file is touched.',
      inputSchema: z.strictObject({ command: z.string().min(1).max(2000).describe('The command line.') }),
      tier: Tier.Physical,
      effect: effects.runShell,
      callback: ({ command }) => {
        world.started('run_shell', { command });
        const { state, output, exitCode } = runInWorld(command, world.read(), world.now());
        world.change(() => state);
        return { output, exitCode, simulated: true };
      },
    }),
  ];
}
