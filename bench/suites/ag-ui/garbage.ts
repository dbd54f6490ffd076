import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the heap that are in use. Finalizers free more at each collection, so it is collected until it stays. */
export async function heapInUse(): Promise<number> {
  let used = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass < 8; pass++) {
    collectGarbage();
    await sleep(10);
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > used * 0.998) return Math.min(used, heapUsed);
    used = heapUsed;
  }
  return used;
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
