import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * How much of a list that is not all the caller's one request may look at; its answer says where to go on. Without it,
 * somebody who may see nothing of a long list would make the hub look through all of it.
 */
export const MOST_LOOKED_AT = 4000;

/** How much of it is looked at in one go. A store answers in the thread of the hub, so others wait for so long. */
export const LOOKED_AT_ONCE = 200;

/** Lets everybody else who waits for this process come first. */
export async function letOthers(): Promise<void> {
  await nextTurn();
}
