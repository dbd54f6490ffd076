import { Agent } from '@strands-agents/sdk';
import { type ParkedTurn, TierGate, ToolCatalog } from 'strands-tau';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { guardTool } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { threadKey } from '../../src/ag-ui/thread/thread-key.ts';
import { closeOrphans } from '../../src/hub/orphans.ts';
import { ActiveRuns } from '../../src/hub/runs.ts';
import { ThreadIndex } from '../../src/hub/threads.ts';
import { call, DONE, house, quietLogger, unlock, until } from '../support/strands.ts';
import { ADA, type Body, newState, type Running, runInput, type Send, type State, startHub } from './support/hub.ts';

/** Of a process that ends between a question and the parking of its turn, as far as a later one can tell. */
class Dying extends MemoryApprovalStore {
  isDying = true;

  override park(turn: ParkedTurn): Promise<void> {
    return this.isDying ? new Promise(() => undefined) : super.park(turn);
  }
}

/** A hub that got as far as the question. */
async function died() {
  const store = new Dying();
  const state = newState(store);
  const hub = await startHub([[unlock('front', 'c1')]], { state, hub: { shutdownSeconds: 0 } });
  const token = await hub.token();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(runInput()) };
  fetch(`${hub.url}/agent`, request).catch(() => undefined);
  await expect.poll(async () => (await store.list({ status: 'pending' })).records.length).toBe(1);
  const question = await hub.question(token);
  store.isDying = false;
  return { state, store, hub, token, question };
}

const next = (state: State, isAlone: boolean): Promise<Running> =>
  startHub([[unlock('front', 'c2')], DONE], { state, hub: { isAlone } });

describe('[P2, P20] a question whose process ended before its turn was parked', () => {
  it('is void from the start of the next hub on, so that nobody says yes to what cannot run', async () => {
    const { state, store, question } = await died();
    const hub = await next(state, true);
    const token = await hub.token();
    expect(await hub.question(token)).toBeUndefined();
    const record = await store.get(question.id);
    expect(record?.status).toBe('void');
    expect(record?.closedBecause).toBe('the process ended before its turn could wait for the answer');
    const body = { decision: 'approved', digest: question.digest };
    const late = await hub.send(`/api/approvals/${question.id}/decision`, { token, body });
    expect(late.status).toBe(409);
    // The conversation goes on, and a call that is asked about anew runs once.
    await hub.run(token);
    const again = await hub.question(token);
    const yes = { decision: 'approved', digest: again.digest };
    expect((await hub.send(`/api/approvals/${again.id}/decision`, { token, body: yes })).status).toBe(200);
    await until(() => hub.started().length === 1);
    await expect.poll(async () => (await store.get(again.id))?.status).toBe('done');
  });

  it('is void too when somebody said yes meanwhile', async () => {
    const { state, store, hub: old, token, question } = await died();
    const body = { decision: 'approved', digest: question.digest };
    await old.send(`/api/approvals/${question.id}/decision`, { token, body });
    expect((await store.get(question.id))?.status).toBe('approved');
    const hub = await next(state, true);
    expect((await store.get(question.id))?.status).toBe('void');
    expect(hub.started()).toEqual([]);
  });

  it('stays open where another process may be waiting for it', async () => {
    const { state, store, question } = await died();
    await next(state, false);
    expect((await store.get(question.id))?.status).toBe('pending');
  });

  it('stays open while a run of this process is under way, and where it belongs to no conversation of the hub', async () => {
    const { state, question } = await died();
    const elsewhere = { ...state, values: newState().values };
    expect(await orphansOf(elsewhere)).toEqual([]);
    expect(await orphansOf(state, threadKey('t1', ADA))).toEqual([]);
    expect(await orphansOf(state)).toEqual([question.id]);
  });
});

/** What would be closed now, and is, in a hub that has one run under way, or none. */
function orphansOf({ store, values }: State, busy?: string): Promise<readonly string[]> {
  const gate = new TierGate({ catalog: new ToolCatalog(), store, logger: quietLogger().logger });
  const runs = new ActiveRuns(
    () => undefined,
    () => false,
  );
  runs.isBusy = (key) => key === busy;
  return closeOrphans({ gate, runs, threads: new ThreadIndex(values, gate.clock), log: quietLogger().logger });
}

/** The questions that are open, in the order in which they were asked. */
async function open(hub: Running, token: string): Promise<Body> {
  return (await hub.send('/api/approvals?status=pending', { token })).body.approvals;
}

async function approve(hub: Running, token: string, { id, digest }: Body, more: Send['body'] = {}): Promise<void> {
  const body = { decision: 'approved', digest, ...(more as object) };
  expect((await hub.send(`/api/approvals/${id}/decision`, { token, body })).status).toBe(200);
}

describe('[P20] what a parked turn waits for', () => {
  it('is left alone at the start of a hub: an answered question, an edited one, and one that is open', async () => {
    const state = newState();
    const first = await startHub([[unlock('front', 'c1'), unlock('front', 'c2'), unlock('back', 'c3')]], { state });
    const token = await first.token();
    await first.run(token);
    const [one, two] = await open(first, token);
    await approve(first, token, one);
    await approve(first, token, two, { editedArguments: { door: 'back' } });
    await first.hub.stop();
    const hub = await startHub([DONE], { state, hub: { isAlone: true } });
    const again = await hub.token();
    const questions = await open(hub, again);
    expect(questions).toHaveLength(1);
    await approve(hub, again, questions[0]);
    await until(() => hub.started().length === 3);
    expect(hub.started()).toEqual(['front', 'back', 'back'].map((door) => `unlock_door {"door":"${door}"}`));
  });

  it('is left alone where a run that went on asked it anew for a call of the same message', async () => {
    const state = newState();
    const hub = await startHub([[unlock('front', 'c1')]], { state });
    await hub.run(await hub.token());
    const [record] = (await state.store.list()).records;
    if (record === undefined) throw new Error('expected a question');
    await state.store.create({ ...record, id: 'anew', request: { ...record.request, id: 'anew' } });
    expect(await orphansOf(state)).toEqual([]);
  });

  it('is left alone where an agent used as a tool asked it, edited as often as it was', async () => {
    const state = newState();
    const withHelper = (turns: readonly ScriptedTurn[], outer: readonly ScriptedTurn[], isAlone: boolean) => {
      const home = house();
      const model = new ScriptedModel(turns);
      const helper = new Agent({ name: 'helper', model, tools: home.tools, printer: false, retryStrategy: null });
      const tools = [guardTool(helper.asTool(), { tier: 0, effect: 'Lets helper work' }), ...home.tools];
      return startHub(outer, { state, house: { ...home, tools }, hub: { isAlone } });
    };
    const asking = [call('run_shell', { command: 'ls' }, 'i1')];
    const first = await withHelper([asking], [[call('helper', { input: 'go' }, 'c1')]], false);
    const token = await first.token();
    await first.run(token);
    // A default comes in addition to what is typed, so the edit is asked about again.
    for (const command of ['pwd', 'id']) {
      const [question] = await open(first, token);
      await approve(first, token, question, { editedArguments: { command } });
    }
    await first.hub.stop();
    const hub = await withHelper([DONE], [DONE], true);
    const again = await hub.token();
    const [question] = await open(hub, again);
    await approve(hub, again, question);
    await until(() => hub.started().length === 1);
    expect(hub.started()).toEqual(['run_shell {"command":"id","sudo":false}']);
  });
});
