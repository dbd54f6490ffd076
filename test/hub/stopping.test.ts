import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { describe, expect, it } from 'vitest';
import { memorySessions } from '../../src/hub/memory-sessions.ts';
import { DONE, unlock, until } from '../support/strands.ts';
import { ADA, interruptsOf, newState, type Running, type State, startHub } from './support/hub.ts';

const sleep = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sessions that are somewhere far away, once somebody says so. */
class Far {
  ms = 0;
  readonly snapshot: ReturnType<typeof memorySessions>;

  constructor() {
    const near = memorySessions();
    const load: typeof near.loadSnapshot = async (what) => {
      await sleep(this.ms);
      return near.loadSnapshot(what);
    };
    this.snapshot = { ...near, loadSnapshot: load };
  }
}

/** A hub that begins with a question of the one before, and reads its thread slowly. */
async function restarted(ms: number) {
  const sessions = new Far();
  const state: State = { ...newState(), sessions };
  const before = await startHub([[unlock('front', 'c1')]], { state });
  const events = await before.run(await before.token());
  await before.hub.stop();
  const hub = await startHub([DONE, DONE, DONE], { state });
  const ada = await hub.token();
  const question = await hub.question(ada);
  sessions.ms = ms;
  return { hub, ada, question, interrupt: interruptsOf(events)[0]?.id ?? '', sessions };
}

const stop = (hub: Running, token: string) => hub.send('/api/threads/t1/stop', { token, body: {} });

describe('[P20] a run that is stopped before it has read its thread', () => {
  it.each([100, 500])('starts nothing of what was approved before; the yes is withdrawn (%i ms)', async (ms) => {
    const { hub, ada, question, sessions } = await restarted(ms);
    const body = { decision: 'approved', digest: question.digest } as const;
    await hub.send(`/api/approvals/${question.id}/decision`, { token: ada, body });
    await sleep(30);
    expect((await stop(hub, ada)).body).toEqual({ stopped: true });
    sessions.ms = 0;
    await sleep(1500);
    expect(hub.started()).toEqual([]);
    expect(await hub.state.store.get(question.id)).toMatchObject({
      status: 'cancelled',
      closedBy: ADA,
      closedBecause: "withdrawn by person 'ada' at http: the run was stopped",
    });
    expect((await hub.run(ada)).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it.each([100, 500])('takes no answer along, and the question stays (%i ms)', async (ms) => {
    const { hub, ada, question, interrupt, sessions } = await restarted(ms);
    const resume = [{ interruptId: interrupt, status: 'resolved', payload: { approved: true } }];
    const run = hub.run(ada, { resume });
    await sleep(30);
    expect((await stop(hub, ada)).body).toEqual({ stopped: true });
    await run;
    sessions.ms = 0;
    await sleep(1000);
    expect(hub.started()).toEqual([]);
    expect((await hub.state.store.get(question.id))?.status).toBe('pending');
    expect((await hub.run(ada, { resume })).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(hub.started()).toHaveLength(1);
  });
});

describe('[P20] a run that is stopped', () => {
  it('has every yes withdrawn that was not used, however many there are', async () => {
    const store = new MemoryApprovalStore();
    const hub = await startHub([[unlock('front', 'c1')], DONE], { state: newState(store) });
    const ada = await hub.token();
    await hub.run(ada);
    const { id } = await hub.question(ada);
    const record = (await store.get(id)) ?? expect.fail();
    const decision = { decision: 'approved', by: ADA, channel: 'x', at: Date.now(), tookMs: 1 } as const;
    for (let i = 0; i < 1100; i++) {
      await store.create({ ...record, id: `q${i}`, request: { ...record.request, id: `q${i}` } });
      await store.decide(`q${i}`, decision);
    }
    expect((await stop(hub, ada)).status).toBe(200);
    expect((await store.list({ status: 'approved' })).records).toEqual([]);
    expect((await store.get('q1099'))?.status).toBe('cancelled');
  });
});

/** A store that takes its time with decisions, once somebody says so. */
class SlowDecisions extends MemoryApprovalStore {
  ms = 0;
  decisions = 0;

  override async decide(...what: Parameters<MemoryApprovalStore['decide']>): ReturnType<MemoryApprovalStore['decide']> {
    this.decisions += 1;
    await sleep(this.ms);
    return super.decide(...what);
  }

  override async close(...what: Parameters<MemoryApprovalStore['close']>): ReturnType<MemoryApprovalStore['close']> {
    await sleep(this.ms);
    return super.close(...what);
  }
}

describe('[P20] a run that is stopped while its answers are being recorded', () => {
  async function stopped(questions: number, ms: number) {
    const store = new SlowDecisions();
    const calls = [unlock('front', 'c1'), unlock('back', 'c2'), unlock('front', 'c3')].slice(0, questions);
    const turns = [calls, DONE, DONE, DONE];
    const hub = await startHub(turns, { state: newState(store) });
    const ada = await hub.token();
    const open = interruptsOf(await hub.run(ada));
    const resume = open.map(({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } }));
    store.ms = ms;
    const run = hub.run(ada, { resume });
    await until(() => store.decisions === 1);
    return { hub, ada, store, run };
  }

  it.each([
    [3, 50],
    [3, 500],
    [1, 500],
    [1, 1200],
  ])('starts nothing, whenever the store is done with the yes (%i questions, %i ms)', async (questions, ms) => {
    const { hub, ada, store, run } = await stopped(questions, ms);
    expect((await stop(hub, ada)).body).toEqual({ stopped: true });
    await run;
    await sleep(2 * ms + 500);
    store.ms = 0;
    await sleep(500);
    expect(store.decisions).toBe(1);
    const { records } = await store.list();
    expect(records.map(({ status }) => status)).not.toContain('approved');
    expect(records.find(({ request }) => request.toolUseId === 'c1')?.status).toMatch(/cancelled|void/);
    // What it had no time to answer is still open, as it was.
    for (const { request } of records.filter((record) => record.status === 'pending')) {
      const body = { decision: 'rejected', digest: request.digest } as const;
      await hub.send(`/api/approvals/${request.id}/decision`, { token: ada, body });
    }
    await sleep(200);
    expect(hub.started()).toEqual([]);
    expect((await hub.run(ada)).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(hub.started()).toEqual([]);
  });
});
