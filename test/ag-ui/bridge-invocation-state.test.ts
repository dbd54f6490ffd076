import { expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house } from '../support/strands.ts';
import { served } from './support/served.ts';
import { yes } from './support/wire.ts';

it('[B5] the invocation state of the caller reaches tools of a plain turn and of a resumed one', async () => {
  const home = house();
  const seen: unknown[] = [];
  const note = (name: string, tier: 1 | 2) =>
    home.tool(name, tier, z.object({}), (_args: never, { invocationState }) => {
      seen.push([name, invocationState.tenant]);
      return 'ok';
    });
  const tools = [note('see', 1), note('act', 2)];
  const s = await served([[call('see', {}, 'c0')], [call('act', {}, 'c1')], DONE], { house: home, tools });
  const invocationState = { tenant: 'T1' };
  const stopped = await s.run({}, { invocationState });
  await s.run({ resume: yes(stopped) }, { invocationState });
  expect(seen).toEqual([
    ['see', 'T1'],
    ['act', 'T1'],
  ]);
});
