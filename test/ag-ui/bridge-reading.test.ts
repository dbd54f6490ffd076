import type { Agent } from '@strands-agents/sdk';
import type { TauAgent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { DONE, unlock } from '../support/strands.ts';
import { served, user } from './support/served.ts';
import { endOf, yes } from './support/wire.ts';

describe('[C2.3] reading a thread, where the application keeps the agents', () => {
  it('leaves nothing in its map', async () => {
    const agentsByThread = new Map<string, Agent | TauAgent>();
    const s = await served([DONE], { bridge: { agentsByThread } });
    for (let i = 0; i < 5; i++) expect(await s.bridge.messagesOf(`nobody-${i}`)).toEqual([]);
    expect(agentsByThread.size).toBe(0);
  });

  it('beside a run that makes its agent does not replace that agent', async () => {
    const agentsByThread = new Map<string, Agent | TauAgent>();
    const s = await served([[unlock('front', 'c1')], DONE, DONE], { bridge: { agentsByThread } });
    const run = s.run({ messages: [user('my secret word is tuna', 'm1')] });
    const reads: Promise<unknown>[] = [];
    for (let i = 0; i < 40; i++) {
      reads.push(s.bridge.messagesOf('t1'));
      await Promise.resolve();
    }
    const stopped = await run;
    await Promise.all(reads);
    expect(endOf(await s.run({ resume: yes(stopped) }))).toBe('success');
    expect(JSON.stringify(s.model.calls.at(-1)?.messages)).toContain('tuna');
  });
});
