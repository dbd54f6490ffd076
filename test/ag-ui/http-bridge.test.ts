import { HttpAgent } from '@ag-ui/client';
import type { RunAgentInput } from '@ag-ui/core';
import { Agent, type Message, type ModelStreamEvent, type StreamOptions } from '@strands-agents/sdk';
import { HttpAgent as OlderHttpAgent } from 'ag-ui-client-0-0-5';
import { ScriptedModel, type TurnFunction } from 'strands-tau/testing';
import { describe, expect, test, vi } from 'vitest';
import { StrandsAgent, type StrandsAgentConfig } from '../../src/ag-ui/index.ts';
import { eventsIn, log, minimal, post, SERVERS } from './http-fixture.ts';

/** A bridge whose model answers with the number of messages that it was shown. */
function bridgeOf(config: StrandsAgentConfig = {}, model: ScriptedModel = counting()) {
  const agent = new Agent({ model, printer: false });
  return { model, bridge: new StrandsAgent({ agent, name: 'assistant', config: { logger: log, ...config } }) };
}

function counting(): ScriptedModel {
  const turn: TurnFunction = (messages) => [{ text: `seen ${messages.length}` }];
  return new ScriptedModel([turn, turn, turn, turn]);
}

/** A model whose first call never ends and hears no signal. */
class DeafModel extends ScriptedModel {
  #first = true;

  override async *stream(messages: Message[], options?: StreamOptions): AsyncGenerator<ModelStreamEvent> {
    if (this.#first) {
      this.#first = false;
      await new Promise(() => undefined);
    }
    yield* super.stream(messages, options);
  }
}

const says = (text: string, threadId = 't'): RunAgentInput => ({
  ...minimal,
  threadId,
  messages: [{ id: text, role: 'user', content: text }],
});

/** What the assistant said in a stream. */
const saidIn = (text: string): string =>
  eventsIn(text)
    .map((sent) => (typeof sent === 'object' && sent !== null && 'delta' in sent ? sent.delta : ''))
    .join('');

describe.each(SERVERS)('%s', (_name, start) => {
  test.each([
    ['1.0', HttpAgent],
    ['0.0.5x', OlderHttpAgent],
  ] as const)('a client of %s holds a conversation', async (_version, Client) => {
    const { bridge, model } = bridgeOf();
    const { url } = await start(bridge);
    const agent = new Client({ url, threadId: 't' });
    for (const content of ['one', 'two']) {
      agent.addMessage({ id: content, role: 'user', content });
      await agent.runAgent();
    }
    expect(agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'seen 1'],
      ['user', 'two'],
      ['assistant', 'seen 3'],
    ]);
    expect(model.calls).toHaveLength(2);
    expect(log.error).not.toHaveBeenCalled();
  });

  test('[B7] a client that leaves during a model call that never ends leaves its thread free', async () => {
    const { bridge } = bridgeOf({}, new DeafModel([[{ text: 'free' }]]));
    const served = await start(bridge);
    const response = await post(served, says('one'));
    await response.body?.getReader().read();
    expect(await (await post(served, says('busy'))).text()).toContain('THREAD_BUSY');
    served.sockets[0]?.destroy();
    await vi.waitFor(async () => expect(saidIn(await (await post(served, says('two'))).text())).toBe('free'));
  });

  test('[B10] the same thread id of two principals is two threads', async () => {
    const { bridge, model } = bridgeOf({ replayHistoryIntoStrands: false });
    const authenticate = ({ headers }: { headers: Headers }) => ({
      id: headers.get('x-user') ?? '',
      kind: 'person' as const,
    });
    const served = await start(bridge, { authenticate });
    const seen = async (user: string) => saidIn(await (await post(served, says('hi'), { 'x-user': user })).text());
    expect([await seen('ada'), await seen('ada'), await seen('eve')]).toEqual(['seen 1', 'seen 3', 'seen 1']);
    expect(model.calls).toHaveLength(3);
  });

  test('[B9] what a model throws stays on the server', async () => {
    const { bridge } = bridgeOf({}, new ScriptedModel([new Error('https://key:secret@model.internal')]));
    const text = await (await post(await start(bridge), says('hi'))).text();
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    expect(text).not.toContain('secret');
    expect(JSON.stringify(log.error.mock.calls.map((call) => call.map(String)))).toContain('secret');
  });
});
