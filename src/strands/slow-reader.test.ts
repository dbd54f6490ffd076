import type { TurnEvent } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import {
  call,
  collect,
  DONE,
  endOf,
  held,
  house,
  rest,
  unlock,
  until,
  type World,
  world,
} from '../../test/support/strands.ts';
import { assertOnlyApproved, resultTexts } from '../../test/support/strands-checks.ts';
import { PATIENCE_MS } from './progress.ts';

type Stream = ReturnType<World['tau']['stream']>;

/** Reads up to the first report of a body, and no further. */
async function readToReport(stream: Stream): Promise<void> {
  for (;;) {
    const { value } = await stream.next();
    if (value === undefined) throw new Error('there was no report');
    if (value.type === 'tool_progress') return;
  }
}

function reportsOf(events: readonly TurnEvent[]): string {
  return JSON.stringify(events.filter(({ type }) => type === 'tool_progress'));
}

/** A tier-2 tool that reports, its reader having read one report; and somebody else of the same gate. */
async function stuck(body: () => AsyncGenerator<unknown, unknown>) {
  const h = house();
  const tools = [h.tool('copy', 2, undefined, body), ...h.tools];
  const w = await world([[call('copy', {})], DONE], ['approved', 'approved'], { tools, house: h });
  const other = await world([[unlock()], DONE], [], { tools, house: h, gate: w.tau.gate });
  const stream = w.tau.stream('go');
  await readToReport(stream);
  return { w, other, stream };
}

describe('[S9, S21] a reader that does not read', () => {
  it('keeps a body, and the calls that wait for it, for so long and no longer; the result is not lost', async () => {
    const { w, other, stream } = await stuck(async function* () {
      for (let i = 0; i < 5; i++) yield `report ${i}`;
      return 'copied';
    });
    const theirs = other.turn();
    await rest();
    await w.clock.advance(PATIENCE_MS - 1);
    await rest();
    expect(w.ran.map(({ tool }) => tool)).toEqual(['copy']);
    await w.clock.advance(1);
    expect(endOf(await theirs).reason).toBe('endTurn');
    expect(w.ran.map(({ tool }) => tool)).toEqual(['copy', 'unlock_door']);
    const late = await collect(stream);
    expect([endOf(late).reason, resultTexts(w.agent), reportsOf(late)]).toEqual(['endTurn', ['copied'], '[]']);
    expect(w.log.filter((line) => line.includes("Tool 'copy' reports faster than its reader takes"))).toHaveLength(1);
    expect(w.clock.timers).toBe(0);
    assertOnlyApproved({ ...w, events: w.events });
  });

  it('gets what is reported from when it reads again', async () => {
    const again = held<void>();
    let dropped = false;
    const { w, stream } = await stuck(async function* () {
      yield 'first';
      yield 'dropped';
      dropped = true;
      await again.promise;
      yield 'second';
      yield 'third';
      return 'copied';
    });
    await w.clock.advance(PATIENCE_MS);
    await until(() => dropped);
    const reading = collect(stream);
    await rest();
    again.settle();
    const events = await reading;
    expect(reportsOf(events)).toMatch(/second.*third/);
    expect(reportsOf(events)).not.toContain('dropped');
    expect(resultTexts(w.agent)).toEqual(['copied']);
  });

  it('does not let a body that only reports keep the process to itself; leaving still stops it', async () => {
    let reports = 0;
    const { w, stream } = await stuck(async function* () {
      for (;;) yield reports++;
    });
    await w.clock.advance(PATIENCE_MS);
    await until(() => reports > 5);
    await stream.return(undefined);
    await until(() => w.tau.gate.running.length === 0);
    const then = reports;
    await rest();
    expect(reports).toBe(then);
  });

  it('is waited for as long as it takes each report in time', async () => {
    const { w, stream } = await stuck(async function* () {
      for (let i = 0; i < 4; i++) yield `report ${i}`;
      return 'copied';
    });
    for (let i = 1; i < 4; i++) {
      await w.clock.advance(PATIENCE_MS - 1);
      await readToReport(stream);
    }
    await collect(stream);
    expect([w.log.filter((line) => line.includes('reports faster')), resultTexts(w.agent)]).toEqual([[], ['copied']]);
  });
});
