import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { WeakList } from './weak-list.ts';

it('holds nobody: what is held elsewhere stays, the rest goes', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const list = new WeakList<{ readonly n: number }>();
  const held = { n: 0 };
  list.add(held);
  for (let n = 1; n <= 100; n++) list.add({ n });
  // What was made in this turn of the event loop is kept until it is over.
  for (let i = 0; i < 50 && list.living().length > 1; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    collect();
  }
  expect(list.living()).toEqual([held]);
});
