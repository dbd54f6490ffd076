import { expect, it } from 'vitest';
import { call, DONE, world } from '../../test/support/strands.ts';

it('[G8] an exemption that changes its mind at every look refuses the call instead of asking it for ever', async () => {
  const w = await world([[call('run_shell', { command: 'a' }, 'c1')], DONE]);
  let asked = 0;
  w.tau.gate.addExemption(() => {
    asked += 1;
    if (asked > 10_000) throw new Error('asked for ever');
    return asked % 2 === 1;
  });
  await w.turn();
  expect(asked).toBeLessThan(1000);
  expect([w.ran, w.of('tool_call').map(({ reason }) => reason)]).toEqual([[], ['gate_failed']]);
});
