import { attemptAgain } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { call, DONE, unlock, type World } from '../../test/support/strands.ts';
import { resultTexts } from '../../test/support/strands-checks.ts';
import { decide, resume, Town } from '../../test/support/strands-town.ts';

const ann = { id: 'ann', kind: 'person' } as const;
const PARK = { parked: true } as const;

/** A turn whose tier-2 body was cut off, as the next process finds it, and the attempt that ann ordered there. */
async function cutOff(town: Town): Promise<{ w: World; id: string }> {
  const { w: old, ids } = await town.park([unlock('front')], [PARK]);
  const [lost = ''] = ids;
  await decide(old, lost, 'approved');
  await town.store.consume(lost, 'a process that died', town.clock.now());
  const w = await town.process([DONE, DONE]);
  await resume(w);
  const digest = (await town.store.get(lost))?.request.digest ?? '';
  const result = await w.tau.gate.retry(lost, { by: ann, channel: 'test', digest });
  return { w, id: result.status === 'ordered' ? result.record.id : expect.fail(result.status) };
}

describe('[S17] a new attempt on a Strands agent', () => {
  it('runs the body of the guarded tool once, tells of it, and leaves the history alone', async () => {
    const town = new Town();
    const { w, id } = await cutOff(town);
    const before = resultTexts(w.agent);
    const modelCalls = w.model.calls.length;
    const outcomes = await Promise.all([attemptAgain(w.tau, id), attemptAgain(w.tau, id)]);
    expect(outcomes.filter(({ status }) => status === 'success')).toHaveLength(1);
    const [outcome] = outcomes;
    expect(outcome?.status === 'success' && outcome.value.toJSON()).toMatchObject({
      toolResult: { status: 'success', content: [{ text: 'unlock_door done' }] },
    });
    expect(town.house.ran).toEqual([{ tool: 'unlock_door', args: { door: 'front' } }]);
    expect(w.of('tool_call').filter(({ approvalId }) => approvalId === id)).toMatchObject([
      { status: 'success', approval: 'approved', resultSummary: 'unlock_door done', origin: { principal: ann } },
    ]);
    expect([resultTexts(w.agent), w.model.calls.length]).toEqual([before, modelCalls]);
    await expect(attemptAgain(w.tau, id)).resolves.toMatchObject({ status: 'replayed' });
    expect(await town.statuses()).toEqual(['unknown', 'done']);
  });

  it('a next turn goes on as ever, and the attempt outlives it until it is run', async () => {
    const town = new Town();
    const { w, id } = await cutOff(town);
    await w.turn('and now?', { principal: ann });
    expect(town.house.ran).toEqual([]);
    await attemptAgain(w.tau, id);
    expect(town.house.ran).toHaveLength(1);
  });

  it('a cancelled one does not start', async () => {
    const town = new Town();
    const { w, id } = await cutOff(town);
    const outcome = await attemptAgain(w.tau, id, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: 'refused', refusal: { reason: 'cancelled' } });
    expect(town.house.ran).toEqual([]);
  });

  it('a body that throws, or wants to pause, has failed', async () => {
    for (const body of [
      () => {
        throw new Error('jammed');
      },
      (_: never, context: { interrupt(params: { name: string }): unknown }) => context.interrupt({ name: 'wait' }),
    ]) {
      const town = new Town();
      const tools = [town.house.tool('unlock_door', 2, undefined, body)];
      const { w: old, ids } = await town.park([call('unlock_door', {})], [PARK], { tools });
      const [lost = ''] = ids;
      await decide(old, lost, 'approved');
      await town.store.consume(lost, 'gone', town.clock.now());
      const w = await town.process([DONE], [], { tools });
      await resume(w);
      const digest = (await town.store.get(lost))?.request.digest ?? '';
      const ordered = await w.tau.gate.retry(lost, { by: ann, channel: 'test', digest });
      await attemptAgain(w.tau, 'record' in ordered ? ordered.record.id : '');
      expect(await town.statuses()).toEqual(['unknown', 'failed']);
      expect(town.house.ran).toHaveLength(1);
    }
  });

  it('what nobody ordered, and a tool that the agent does not have, are errors', async () => {
    const town = new Town();
    const { w, id } = await cutOff(town);
    const { records } = await town.store.list();
    for (const wrong of ['nobody', records[0]?.id ?? ''])
      await expect(attemptAgain(w.tau, wrong)).rejects.toMatchObject({ code: 'not_ordered' });
    const other = await town.process([], [], { tools: [town.house.tool('add_note', 1)] });
    await expect(attemptAgain(other.tau, id)).rejects.toMatchObject({ code: 'no_tool' });
    expect(town.house.ran).toEqual([]);
  });

  it("a tool that is another gate's is none of the agent's", async () => {
    const town = new Town();
    const { w, id } = await cutOff(town);
    const other = await town.process([]);
    const theirs = other.agent.toolRegistry.get('unlock_door') ?? expect.fail('no such tool');
    w.agent.toolRegistry.addOrReplace([theirs]);
    await expect(attemptAgain(w.tau, id)).rejects.toMatchObject({ code: 'no_tool' });
    expect(town.house.ran).toEqual([]);
    expect((await town.store.get(id))?.status).toBe('approved');
  });
});
