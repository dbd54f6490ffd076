import { type Agent, SlidingWindowConversationManager } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { adoptAgent } from '../../src/ag-ui/thread/adopt-agent.ts';
import { call, DONE, rest, unlock } from '../support/strands.ts';
import { plugin } from '../support/strands-parts.ts';
import { Disk, type ServedOptions, served, type Turns, user } from './support/served.ts';
import { customs, endOf, resultsOf, yes } from './support/wire.ts';

/** A bridge that says which agents it made. */
async function counted(turns: Turns, options: ServedOptions = {}) {
  const agents: Agent[] = [];
  const count = plugin('count', (agent) => void agents.push(agent as Agent));
  const s = await served(turns, { ...options, build: { ...options.build, plugins: [count] } });
  agents.length = 0;
  return { ...s, agents };
}

describe('[B7] What a bridge keeps in memory', () => {
  it('is a thread for as long as somebody can answer it, and not longer', async () => {
    for (const timeoutSeconds of [undefined, 0.01]) {
      const s = await counted([[unlock('front', 'c1')], DONE, DONE, DONE], {
        ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
        config: { maxThreads: 1, threadIdleSeconds: 0.001 },
      });
      const messages = [user('open the door')];
      const stopped = await s.run({ threadId: 'a', messages });
      await new Promise((resolve) => setTimeout(resolve, 20));
      await s.run({ threadId: 'b' });
      await rest();
      const made = s.agents.length;
      const pending = await s.run({ threadId: 'a' });
      expect(endOf(pending)).toBe('PENDING_INTERRUPTS');
      expect(s.agents.length - made).toBe(timeoutSeconds === undefined ? 0 : 1);
      const [{ interrupts } = { interrupts: [] }] = customs(pending, 'tau:pending') as {
        interrupts: { id: string }[];
      }[];
      expect(interrupts.map(({ id }) => id)).toEqual(yes(stopped).map(({ interruptId }) => interruptId));
      const ended = await s.run({ threadId: 'a', resume: yes(stopped), messages });
      expect([endOf(ended), resultsOf(ended).length]).toEqual(['success', 1]);
      expect(s.started()).toEqual(timeoutSeconds === undefined ? ['unlock_door {"door":"front"}'] : []);
    }
  });

  it('is a thread whose yes was given elsewhere and has not gone on', async () => {
    const s = await counted([[unlock('front', 'c1')], DONE, DONE], {
      config: { maxThreads: 1, threadIdleSeconds: 0.001 },
    });
    await s.run({ threadId: 'a' });
    const { id, digest } = (await s.store.list()).records[0]?.request ?? { id: '', digest: '' };
    const by = { id: 'anonymous', kind: 'person' } as const;
    await s.tau?.gate.decide(id, { decision: 'approved', by, channel: 'page', digest });
    await s.run({ threadId: 'b' });
    await rest();
    const made = s.agents.length;
    for await (const _ of s.bridge.resumeThread('a')) void _;
    expect([s.agents.length - made, s.started()]).toEqual([0, ['unlock_door {"door":"front"}']]);
  });

  it.each(['with a session', 'without one'])(
    'of what was called is no more than the agent and the request tell of, %s',
    async (how) => {
      const turns: Turns = Array.from({ length: 12 }, (_, i) => [
        [call('read_lock', { door: 'front' }, `c${i}`)],
        DONE,
      ]).flat();
      const s = await counted(turns, {
        ...(how === 'with a session' ? { disk: new Disk() } : {}),
        build: { conversationManager: new SlidingWindowConversationManager({ windowSize: 4 }) },
      });
      for (let i = 0; i < 12; i++) await s.run({ messages: [user(`turn ${i}`)] });
      const [agent] = s.agents;
      if (agent === undefined) throw new Error('no agent was made');
      const { known } = adoptAgent(agent, false);
      expect([...known.keys()]).toContain('c11');
      expect(known.size).toBeLessThan(4);
    },
  );
});
