import { describe, expect, it } from 'vitest';
import { unlock, world } from '../../test/gate-fixture.ts';
import { MemoryApprovalStore } from './memory-store.ts';

const forever = (): Promise<string> => new Promise(() => undefined);

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
    const origin = { kind: 'model', conversation: 'c', principal: person } as const;
    void gate.run({ ...unlock(), origin }, forever);
    await expect.poll(async () => (await store.list({ status: 'consumed' })).records.length).toBe(1);
    /** Another process begins, which knows nothing of the one before, and somebody orders the latest attempt anew. */
    const orderedAnew = async (status: string) => {
      const next = world([], { store }).gate;
      await next.recover();
      const record = (await store.list()).records.at(-1);
      expect(record?.status).toBe(status);
      const by = { by: person, channel: 'test', digest: record?.request.digest ?? '' };
      const ordered = await next.retry(record?.id ?? '', by);
      expect(ordered.status).toBe('ordered');
      return { next, id: (await store.list()).records.at(-1)?.id ?? '' };
    };
    await orderedAnew('unknown');
    const { next, id } = await orderedAnew('cancelled');
    void next.attempt(id, forever);
    await expect.poll(async () => (await store.get(id))?.status).toBe('consumed');
    await orderedAnew('unknown');
  });
});
