import type { BaseEvent } from '@ag-ui/core';
import { Agent, type ModelStreamEvent } from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { translateOptions } from '../../../test/support/translate.ts';
import type { EventStream } from '../translate/event-stream.ts';
import { custom } from '../translate/events.ts';
import { translate } from '../translate/translator.ts';
import { type Parts, RunStream } from './run-stream.ts';

const [first, last] = [custom('first', 0), custom('last', 0)];
const THREE = [
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_CONTENT',
  'TEXT_MESSAGE_END',
  'MESSAGES_SNAPSHOT',
  'STATE_SNAPSHOT',
];

/** A model that says one letter and then hangs, whatever it is told. */
class DeafModel extends ScriptedModel {
  override async *stream(): AsyncGenerator<ModelStreamEvent> {
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    yield { type: 'modelContentBlockStartEvent' };
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'a' } };
    await new Promise(() => undefined);
  }
}

/** A run of steps around the stream of an agent, and what became of it. */
function setting(model = new ScriptedModel([[{ text: 'abc' }]]), steps = around) {
  const agent = new Agent({ model, printer: false });
  const left = new AbortController();
  const seen: string[] = [];
  const { signal } = left;
  const stream = translate(agent.stream('hi'), translateOptions({ signal, cancel: () => seen.push('cancel') }));
  const run = new RunStream(steps(stream, seen), () => left.abort(), signal);
  return { agent, left, seen, run };
}

async function* around(stream: EventStream, seen: string[]): Parts {
  let ended = false;
  try {
    yield first;
    yield stream;
    seen.push((await stream.ended).end.type);
    ended = true;
    yield last;
  } finally {
    if (!ended) await stream.leave();
    seen.push('tidied up');
  }
}

async function rest(run: AsyncIterable<BaseEvent>): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of run) types.push(type);
  return types;
}

describe('[C4.14] The events of a run', () => {
  it('are those of its steps, and those of a stream in its place', async () => {
    const { run, seen } = setting();
    expect(await rest(run)).toEqual(['CUSTOM', ...THREE, 'CUSTOM']);
    expect(seen).toEqual(['result', 'tidied up']);
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it('come in order to a consumer that does not wait for one before it asks for the next', async () => {
    const { run } = setting();
    const asked = Array.from({ length: 11 }, () => run.next());
    const types = (await Promise.all(asked)).map(({ value }) => value?.type);
    expect(types).toEqual(['CUSTOM', ...THREE, 'CUSTOM', undefined, undefined]);
  });

  it('end in the error of a step that fails', async () => {
    const { run } = setting(undefined, async function* (stream) {
      yield stream;
      throw new Error('broken');
    });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of run) types.push(type);
    })();
    await expect(reading).rejects.toThrow('broken');
    expect(types).toEqual(THREE);
  });
});

describe('[B7] A consumer that leaves', () => {
  it('by return() gets nothing more; the steps tidy up, the agent is cancelled and let go', async () => {
    for (const events of [1, 3]) {
      const { run, seen, agent } = setting();
      for (let at = 0; at < events; at++) await run.next();
      expect(await run.return()).toEqual({ done: true, value: undefined });
      expect(seen).toEqual(events === 1 ? ['tidied up'] : ['cancel', 'tidied up']);
      expect(agent.isInvoking).toBe(false);
      expect(await run.next()).toEqual({ done: true, value: undefined });
    }
  });

  it('by return() while it waits: a pending next() is given what closes the message', async () => {
    const { run, seen } = setting(new DeafModel([]));
    for (let at = 0; at < 3; at++) await run.next();
    const pending = [run.next(), run.next(), run.next()];
    const start = performance.now();
    await run.return();
    expect((await Promise.all(pending)).map(({ value }) => value?.type)).toEqual([
      'TEXT_MESSAGE_END',
      'CUSTOM',
      undefined,
    ]);
    expect(performance.now() - start).toBeLessThan(1000);
    expect(seen).toContain('cancel');
  });

  it('by its signal between two events still gets every closing event', async () => {
    const { run, left, seen } = setting();
    for (let at = 0; at < 3; at++) await run.next();
    left.abort();
    expect(await rest(run)).toEqual(['TEXT_MESSAGE_END', 'CUSTOM']);
    expect(seen).toEqual(['cancel', 'left', 'tidied up']);
  });

  it('by throw() hands its error to the step that is at work', async () => {
    const { run } = setting(undefined, async function* (stream): Parts {
      try {
        yield stream;
      } catch (error) {
        yield custom('caught', String(error));
      }
    });
    await run.next();
    expect(await run.throw(new Error('mine'))).toMatchObject({ value: { value: 'Error: mine' } });
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it('does not wait for a step that hangs', async () => {
    const { run } = setting(undefined, async function* (): Parts {
      yield first;
      await new Promise(() => undefined);
    });
    await run.next();
    const pending = [run.next(), run.next()];
    const start = performance.now();
    expect(await run.return()).toEqual({ done: true, value: undefined });
    expect(await Promise.all([...pending, run.next()])).toEqual(Array(3).fill({ done: true, value: undefined }));
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it('does not stop what the agent does for somebody else', async () => {
    const { run, agent, seen } = setting(new DeafModel([]));
    const others = agent.stream('other');
    await others.next();
    await run.next();
    expect(await rest(run)).toEqual(['CUSTOM']);
    expect(seen).toEqual(['failed', 'tidied up']);
    expect(agent.isInvoking).toBe(true);
  });
});
