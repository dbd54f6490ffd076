import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent } from '@ag-ui/core';
import { HttpAgent as OlderHttpAgent } from 'ag-ui-client-0-0-5';
import { describe, expect, test } from 'vitest';
import type { ServedAgent } from '../../src/ag-ui/http/index.ts';
import { event, log, SERVERS, type Served } from './http-fixture.ts';

const PROTOBUF = 'application/vnd.ag-ui.event+proto';

/** An agent that says every kind of thing, fields of protocol 1.0 included. */
const talkative: ServedAgent = {
  async *run({ threadId, runId, protocolVersion }) {
    yield event('RUN_STARTED', { threadId, runId, protocolVersion: '1.0' });
    yield event('STATE_SNAPSHOT', { snapshot: { door: 'front', list: [1, 2] } });
    yield event('SUBAGENT_STARTED', { subagentRunId: 's', name: 'helper' });
    yield event('SUBAGENT_FINISHED', { subagentRunId: 's' });
    yield event('TEXT_MESSAGE_START', { messageId: 'm1', role: 'assistant' });
    yield event('TEXT_MESSAGE_CONTENT', { messageId: 'm1', delta: 'Çay \u2028 or ' });
    yield event('TEXT_MESSAGE_CONTENT', { messageId: 'm1', delta: 'coffee?', metadata: { a: 1 } });
    yield event('TEXT_MESSAGE_END', { messageId: 'm1' });
    yield event('TOOL_CALL_START', { toolCallId: 'c1', toolCallName: 'read', parentMessageId: 'm1' });
    yield event('TOOL_CALL_ARGS', { toolCallId: 'c1', delta: '{"door":' });
    yield event('TOOL_CALL_ARGS', { toolCallId: 'c1', delta: '"front"}' });
    yield event('TOOL_CALL_END', { toolCallId: 'c1' });
    yield event('TOOL_CALL_RESULT', { toolCallId: 'c1', messageId: 'm2', content: '{"locked":true}' });
    yield event('CUSTOM', { name: 'tau:decided', value: { by: 'ada' } });
    yield event('RAW', { event: { any: [null, 1.5] }, source: 'strands' });
    yield event('RUN_FINISHED', {
      threadId,
      runId,
      usage: [{ inputTokens: 3 }],
      outcome: { type: 'success', pendingToolCallIds: [] },
      result: protocolVersion ?? 'older',
    });
  },
};

const said = [
  { id: 'u', role: 'user', content: 'hi' },
  {
    id: 'm1',
    role: 'assistant',
    content: 'Çay \u2028 or coffee?',
    toolCalls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"door":"front"}' } }],
  },
  { id: 'm2', role: 'tool', toolCallId: 'c1', content: '{"locked":true}' },
];

interface Talk {
  readonly messages: unknown;
  readonly state: unknown;
  readonly events: BaseEvent[];
}

type Client = (served: Served, headers?: Record<string, string>) => Promise<Talk>;

const CLIENTS: readonly [name: string, talk: Client, version: string][] = [
  [
    'client 1.0',
    async ({ url }, headers = {}) => {
      const agent = new HttpAgent({ url, headers, initialMessages: [{ id: 'u', role: 'user', content: 'hi' }] });
      const events: BaseEvent[] = [];
      await agent.runAgent({ runId: 'r' }, { onEvent: ({ event: seen }) => void events.push(seen) });
      return { messages: agent.messages, state: agent.state, events };
    },
    '1.0',
  ],
  [
    'client 0.0.5x',
    async ({ url }, headers = {}) => {
      const agent = new OlderHttpAgent({ url, headers, initialMessages: [{ id: 'u', role: 'user', content: 'hi' }] });
      const events: BaseEvent[] = [];
      await agent.runAgent(
        { runId: 'r' },
        { onEvent: ({ event: seen }) => void events.push(JSON.parse(JSON.stringify(seen))) },
      );
      return { messages: agent.messages, state: agent.state, events };
    },
    'older',
  ],
];

describe.each(SERVERS)('%s', (_name, start) => {
  test.each(CLIENTS)('[C12.3] %s reads a whole run as server-sent events', async (_client, talk, version) => {
    const { messages, state, events } = await talk(await start(talkative));
    expect(messages).toMatchObject(said);
    expect(state).toEqual({ door: 'front', list: [1, 2] });
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', result: version });
    expect(log.error).not.toHaveBeenCalled();
  });

  test.each(CLIENTS)('only what %s understands is sent to it', async (_client, talk, version) => {
    const { events } = await talk(await start(talkative));
    const newer = version !== 'older';
    expect(events.some(({ type }) => type.startsWith('SUBAGENT'))).toBe(newer);
    expect(events.some((sent) => 'metadata' in sent)).toBe(newer);
    expect(events.filter((sent) => 'usage' in sent).length).toBe(newer ? 1 : 0);
    expect(events[0]?.protocolVersion).toBe(newer ? '1.0' : undefined);
  });

  test('[C12.3] a client that names protobuf gets protobuf', async () => {
    const served = await start(talkative);
    const agent = new HttpAgent({
      url: served.url,
      initialMessages: [{ id: 'u', role: 'user', content: 'hi' }],
      fetch: async (url, init) => {
        const response = await fetch(url, {
          ...init,
          headers: { 'content-type': 'application/json', accept: PROTOBUF },
        });
        expect(response.headers.get('content-type')).toBe(PROTOBUF);
        return response;
      },
    });
    await agent.runAgent({ runId: 'r' });
    expect(agent.messages).toMatchObject(said);
    expect(agent.state).toEqual({ door: 'front', list: [1, 2] });
  });
});
