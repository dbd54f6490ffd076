import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '@strands-agents/sdk';
import { z } from 'zod';
import { tauTool } from '../../src/strands/index.ts';
import type { ScriptedTurn } from '../../src/testing/index.ts';

/** Where what happened is kept. */
export const STORE = 'tau.db';
/** One key for each body that started. */
export const BODIES = 'bodies.log';

/** Whose questions these are; the policy lets them decide. */
export const ANN = { id: 'ann', kind: 'person' } as const;

/** How many times a conversation asks for tools before it ends. */
const BATCHES = 2;

/** A tool whose body is on disk before it does anything, and takes a moment. */
export function unlockTool(folder: string): ReturnType<typeof tauTool> {
  const log = openSync(join(folder, BODIES), 'a', 0o600);
  process.once('exit', () => closeSync(log));
  return tauTool({
    name: 'unlock_door',
    description: 'Unlocks a door.',
    inputSchema: z.object({ key: z.string() }),
    tier: 2,
    effect: 'Unlocks a door',
    callback: async ({ key }) => {
      writeSync(log, `${key}\n`);
      fsyncSync(log);
      say('body', key);
      await sleep(Math.random() * 25);
      return `${key} is open`;
    },
  });
}

/** A model that asks for two doors, twice, then is content. Each key is asked for once, so a key is one approval. */
export function nextTurn(messages: readonly Message[]): ScriptedTurn {
  const asked = messages.filter(({ content }) => content.some((block) => block.type === 'toolUseBlock')).length;
  if (asked >= BATCHES) return [{ text: 'All doors are open.' }];
  const door = (): { name: string; input: { key: string } } => ({
    name: 'unlock_door',
    input: { key: crypto.randomUUID() },
  });
  return [{ toolUse: door() }, { toolUse: door() }];
}

/** Tells the parent, at once: a line that was told survives the process. */
export function say(...words: readonly string[]): void {
  writeSync(1, `${words.join(' ')}\n`);
}
