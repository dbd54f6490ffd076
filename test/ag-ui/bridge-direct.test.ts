import type { LocalAgent } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, DONE, house } from '../support/strands.ts';
import { served } from './support/served.ts';
import { endOf } from './support/wire.ts';

/** A bridge that has served one run, and the agent of its thread, as a tool's body gets it. */
async function afterARun() {
  const home = house();
  const agents: LocalAgent[] = [];
  const spy = home.tool('spy', 0, z.object({}), (_args, context) => void agents.push(context.agent));
  const s = await served([[call('spy', {})], DONE], { house: home, tools: [spy, ...home.tools] });
  expect(endOf(await s.run())).toBe('success');
  return { s, home, agent: agents[0] ?? expect.fail('no agent') };
}

describe('[S19, B1] a direct call of an agent that the bridge serves', () => {
  it.each(['read_lock', 'add_note', 'unlock_door'])('of %s is refused, of whatever tier', async (name) => {
    const { home, agent } = await afterARun();
    const before = home.ran.length;
    const tool = agent.toolRegistry.get(name) ?? expect.fail('no such tool');
    const stream = tool.stream({
      toolUse: { name, toolUseId: 'direct-1', input: { door: 'front', text: 'x' } },
      agent,
      invocationState: {},
      cancelSignal: new AbortController().signal,
      interrupt: () => expect.fail('it wanted to pause'),
    });
    let next = await stream.next();
    while (next.done !== true) next = await stream.next();
    expect(next.value).toMatchObject({ status: 'error' });
    expect(home.ran).toHaveLength(before);
  });
});
