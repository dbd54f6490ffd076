import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Row } from '../../suite.ts';
import { Disk, question, yes } from './disk.ts';
import { quantile } from './numbers.ts';

const SAMPLES = 200;

/** From a decision that is durable to whoever waits for it having read it. */
export async function wakeUp(): Promise<readonly Row[]> {
  const disk = new Disk();
  const here = await inProcess(disk);
  const there = await acrossProcesses(disk);
  await disk.remove();
  return [...rows('in the same process', here, ''), ...rows('from another process', there, '≤ 250')];
}

function rows(where: string, samples: readonly number[], target: string): readonly Row[] {
  return [
    [`wake-up ${where}, median`, 'ms', quantile(samples, 0.5).toFixed(2), ''],
    [`wake-up ${where}, p99`, 'ms', quantile(samples, 0.99).toFixed(2), target],
  ];
}

const now = (): number => performance.timeOrigin + performance.now();

/** Resolves once a question is decided, with the time. */
function decided({ store }: Disk, id: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const unwatch = store.watch((changed) => {
    if (changed !== id) return;
    unwatch();
    void store.get(id).then((record) => record?.status === 'approved' && resolve(now()));
  });
  return promise;
}

async function inProcess(disk: Disk): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    await disk.store.create(question(`here-${n}`));
    const waiting = decided(disk, `here-${n}`);
    let at = 0;
    const deciding = disk.store.decide(`here-${n}`, yes()).then(() => {
      at = now();
    });
    const [woken] = await Promise.all([waiting, deciding]);
    samples.push(Math.max(0, woken - at));
  }
  return samples;
}

async function acrossProcesses(disk: Disk): Promise<readonly number[]> {
  const child = fork(fileURLToPath(new URL('./decider.ts', import.meta.url)), [disk.file]);
  await once(child, 'message');
  const samples: number[] = [];
  for (let n = 0; n < SAMPLES; n++) {
    await disk.store.create(question(`there-${n}`));
    const waiting = decided(disk, `there-${n}`);
    await sleep(Math.random() * 100);
    const told = once(child, 'message');
    child.send(`there-${n}`);
    const [woken, [message]] = await Promise.all([waiting, told]);
    samples.push(Math.max(0, woken - message.at));
  }
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return samples;
}
