import { describe, expect, it } from 'vitest';
import { unlock, world } from '../../test/gate-fixture.ts';
import { MemoryApprovalStore } from './memory-store.ts';

const person = { id: 'ada', kind: 'person' } as const;

describe('[P2, P22] what a process left that ended in the middle', () => {
  it('is unknown and can be ordered again; what is at work here is left alone, and so is what is open', async () => {
    const store = new MemoryApprovalStore();
    const dead = world(['approved'], { store });
    void dead.gate.run(unlock(), () => new Promise(() => undefined));
    await expect.poll(async () => (await store.list({ status: 'consumed' })).records.length).toBe(1);
    const alive = world(['approved'], { store });
    const own = Promise.withResolvers<string>();
    const running = alive.gate.run(unlock('back'), () => own.promise);
    await expect.poll(async () => (await store.list({ status: 'consumed' })).records.length).toBe(2);
    const [lost] = (await store.list({ status: 'consumed' })).records;
    expect(await alive.gate.recover()).toEqual({ lost: [lost?.id], cancelled: [] });
    own.resolve('open');
    await running;
    expect((await store.list()).records.map(({ status }) => status)).toEqual(['unknown', 'done']);
    expect(await alive.gate.recover()).toEqual({ lost: [], cancelled: [] });
  });

  it('an ordered attempt that never started is cancelled, and one that was cut off unknown: both can be ordered anew', async () => {
    const store = new MemoryApprovalStore();
    const { gate } = world(['approved'], { store });
    const by = { by: person, channel: 'test' };
    let id = '';
    const origin = { kind: 'model', conversation: 'c', principal: person } as const;
    void gate.run({ ...unlock(), origin }, () => new Promise(() => undefined));
    await expect.poll(async () => (await store.list({ status: 'consumed' })).records.length).toBe(1);
    for (const end of ['unknown', 'cancelled', 'unknown']) {
      // Each time another process begins, which knows nothing of the one before.
      const next = world([], { store }).gate;
      await next.recover();
      const record = id === '' ? (await store.list()).records[0] : await store.get(id);
      expect(record?.status).toBe(end);
      const ordered = await next.retry(record?.id ?? '', { ...by, digest: record?.request.digest ?? '' });
      if (ordered.status !== 'ordered') throw new Error(ordered.status);
      id = ordered.record.id;
      if (end === 'cancelled') {
        void next.attempt(id, () => new Promise(() => undefined));
        await expect.poll(async () => (await store.get(id))?.status).toBe('consumed');
      }
    }
  });
});
