import { TextBlock } from '@strands-agents/sdk';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { flattenContentToText } from './content.ts';
import { convertAguiContentToStrands } from './conversion.ts';
import { buildContextExtras } from './extras.ts';
import { parseRunAgentInput } from './parse.ts';

const minimal = { threadId: 't', runId: 'r', messages: [] };

function parsed(body: unknown) {
  const result = parseRunAgentInput(body);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.input;
}

function issues(body: unknown) {
  const result = parseRunAgentInput(body);
  return result.ok ? [] : result.issues;
}

describe('parseRunAgentInput', () => {
  test('[C12.2] the least that a client can send is completed', () => {
    expect(parsed(minimal)).toEqual({ ...minimal, tools: [], context: [] });
  });

  test('[C12.2] what is wrong is named by path, without the value', () => {
    expect(issues({ runId: 7, messages: [{ id: 'x', role: 'secret-role' }], tools: 'secret' })).toEqual([
      { path: 'threadId', message: expect.any(String) },
      { path: 'runId', message: expect.any(String) },
      { path: 'messages.0.role', message: expect.any(String) },
      { path: 'tools', message: expect.any(String) },
    ]);
    expect(JSON.stringify(issues({ ...minimal, state: 1, tools: 'secret' }))).not.toContain('secret');
    for (const body of [undefined, null, 7, 'x', [], true]) {
      expect(issues(body)).toEqual([{ path: '', message: expect.any(String) }]);
    }
    expect(issues({ ...minimal, messages: Array(100).fill(7) })).toHaveLength(20);
  });

  test('[C12.2] ids that are kept with everything that happens in a thread are no longer than ids are', () => {
    const [short, long] = ['x'.repeat(256), 'x'.repeat(257)];
    expect(issues({ ...minimal, threadId: short, runId: short, parentRunId: short })).toEqual([]);
    for (const name of ['threadId', 'runId', 'parentRunId']) {
      expect(issues({ ...minimal, [name]: long })).toEqual([{ path: name, message: expect.stringContaining('256') }]);
    }
  });

  test('[C12.2] a wrong message is named by its place, also among others that are right', () => {
    const messages = [
      { id: '1', role: 'user', content: 'hi' },
      { id: '2', role: 'tool', content: 'x', toolCallId: 7 },
      { id: '3', role: 'assistant', content: 'ok' },
      { id: '4', role: 'user', content: 8 },
      9,
    ];
    expect(issues({ ...minimal, messages })).toEqual([
      { path: 'messages.1.toolCallId', message: 'Invalid input: expected string, received number' },
      { path: 'messages.3.content', message: 'Invalid input' },
      { path: 'messages.4', message: expect.stringContaining('expected object') },
    ]);
  });

  test('[C12.2] a message of a text and nothing else is read as any other', () => {
    const field = fc.oneof(fc.string(), fc.constantFrom(null, 7, [], {}));
    const role = fc.constantFrom(
      'user',
      'assistant',
      'system',
      'developer',
      'reasoning',
      'tool',
      'activity',
      'x',
      null,
    );
    fc.assert(
      fc.property(fc.record({ id: field, role, content: field }, { requiredKeys: [] }), (message) => {
        const alone = parseRunAgentInput({ ...minimal, messages: [message] });
        const extended = parseRunAgentInput({ ...minimal, messages: [{ ...message, more: 1 }] });
        if (!alone.ok || !extended.ok) expect(alone).toEqual(extended);
        else expect(extended.input.messages).toEqual([{ ...alone.input.messages[0], more: 1 }]);
      }),
    );
  });

  test('[C12.2] snake_case aliases count at any depth, camelCase wins', () => {
    expect(
      parsed({
        threadId: 't',
        thread_id: 'lost',
        run_id: 'lost',
        runId: 'r',
        parent_run_id: 'p',
        forwarded_props: { nested: [{ run_id: 1 }] },
        messages: [{ id: 'm', role: 'tool', tool_call_id: 'c', content: 'x' }],
        state: { deep: { parent_message_id: 'm' } },
      }),
    ).toEqual({
      threadId: 't',
      runId: 'r',
      parentRunId: 'p',
      forwardedProps: { nested: [{ runId: 1 }] },
      messages: [{ id: 'm', role: 'tool', toolCallId: 'c', content: 'x' }],
      state: { deep: { parentMessageId: 'm' } },
      tools: [],
      context: [],
    });
  });

  test('names of tool arguments are not renamed: neither in schemas nor in edited arguments', () => {
    const parameters = { type: 'object', properties: { run_id: { type: 'string' } }, required: ['run_id'] };
    const payload = { approved: true, editedArgs: { thread_id: 5 } };
    const input = parsed({
      ...minimal,
      tools: [{ name: 'x', description: 'y', parameters }],
      resume: [{ interruptId: 'i', status: 'resolved', payload }],
    });
    expect([input.tools[0]?.parameters, input.resume?.[0]?.payload]).toEqual([parameters, payload]);
  });

  test('[C12.2] hostile keys are dropped everywhere but in answers, whose reader refuses what may not be run', () => {
    const body = JSON.parse(
      '{"threadId":"t","runId":"r","messages":[],"__proto__":{"admin":true},"state":{"constructor":1,"prototype":2,"a":{"__proto__":{"b":1}}},' +
        '"tools":[{"name":"x","description":"","parameters":{"properties":{"constructor":{},"ok":{}}}}],' +
        '"resume":[{"interruptId":"i","status":"resolved","payload":{"__proto__":{"approved":true},"editedArgs":{"prototype":1,"run_id":[{"constructor":2}]}}}]}',
    );
    const input = parsed(body);
    expect(Reflect.get(input, 'admin')).toBeUndefined();
    expect(Object.getPrototypeOf(input.state.a)).toBe(Object.prototype);
    const [answer] = input.resume ?? [];
    expect(JSON.stringify(answer?.payload)).toBe(
      '{"__proto__":{"approved":true},"editedArgs":{"prototype":1,"run_id":[{"constructor":2}]}}',
    );
    expect(Object.getPrototypeOf(answer?.payload)).toBe(Object.prototype);
    expect({ ...input, resume: undefined }).toEqual({
      ...minimal,
      context: [],
      state: { a: {} },
      tools: [{ name: 'x', description: '', parameters: { properties: { ok: {} } } }],
      resume: undefined,
    });
  });

  test('[C12.2] a request that is nested too deep is refused, not recursed into', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(issues({ ...minimal, state: deep })).toEqual([
      { path: expect.stringMatching(/^state\.0\.0/), message: 'nested deeper than 100 levels' },
    ]);
    expect(issues({ ...minimal, tools: [{ name: 'x', description: '', parameters: deep }] })).toHaveLength(1);
  });

  test('requests of both generations are read: binary and file parts, content parts of tools, null payloads', () => {
    const body = {
      ...minimal,
      protocolVersion: '1.0',
      messages: [
        {
          id: '1',
          role: 'user',
          content: [{ type: 'binary', mimeType: 'image/png', data: 'AA==' }],
          extra: { kept: 1 },
        },
        { id: '2', role: 'user', content: [{ type: 'image', source: { type: 'file', value: 'f', provider: 'p' } }] },
        { id: '3', role: 'tool', toolCallId: 'c', content: [{ type: 'text', text: 'x' }], metadata: { a: null } },
        {
          id: '4',
          role: 'assistant',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '' } }],
        },
      ],
      resume: [{ interruptId: 'i', status: 'cancelled', payload: null }],
    };
    expect(parsed(body)).toEqual({ ...body, tools: [], context: [] });
    expect(
      issues({ ...minimal, messages: [{ id: '1', role: 'user', content: [{ type: 'binary', mimeType: 'a/b' }] }] }),
    ).toHaveLength(1);
  });

  test('a null in an optional field counts as absent; a null payload does not', () => {
    const input = parsed({
      ...minimal,
      protocolVersion: null,
      parentRunId: null,
      tools: null,
      context: null,
      messages: [{ id: '1', role: 'assistant', content: null, toolCalls: null, name: null }],
      resume: [
        { interruptId: 'i', status: 'resolved', payload: null },
        { interruptId: 'j', status: 'resolved' },
      ],
    });
    expect(input).toEqual({
      ...minimal,
      tools: [],
      context: [],
      messages: [{ id: '1', role: 'assistant' }],
      resume: [
        { interruptId: 'i', status: 'resolved', payload: null },
        { interruptId: 'j', status: 'resolved' },
      ],
    });
    expect(input.resume?.map((entry) => 'payload' in entry)).toEqual([true, false]);
  });
});

describe('buildContextExtras', () => {
  test('[C2.8] context becomes a record without a prototype; the later entry wins, hostile names are dropped', () => {
    const extras = buildContextExtras(
      JSON.parse(
        '{"context":[{"description":"a","value":"1"},{"description":"a","value":"2"},{"description":"__proto__","value":"x"},' +
          '{"description":"constructor","value":"x"},{"description":"toString","value":"fine"},{"description":"n","value":{"b":1}},' +
          '{"description":"z","value":null},null],"forwardedProps":{"role":"guest"}}',
      ),
    );
    expect(Object.getPrototypeOf(extras.context)).toBeNull();
    expect({ ...extras.context }).toEqual({ a: '2', toString: 'fine', n: '{"b":1}', z: 'null' });
    expect(extras.forwardedProps).toEqual({ role: 'guest' });
  });

  test('[C2.8] forwarded properties that are no object are an empty one', () => {
    for (const forwardedProps of [undefined, null, 'x', 7, [1]]) {
      expect(buildContextExtras({ context: [], forwardedProps })).toEqual({ context: {}, forwardedProps: {} });
    }
  });
});

describe('content', () => {
  test('[C11.1] text parts are joined by spaces and media are left out', async () => {
    const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const content = JSON.parse(
      '[{"type":"text","text":"a"},{"type":"binary","mimeType":"audio/mp3","id":"1"},{"type":"text","text":"b"},{"type":"binary","mimeType":"x/<script>","id":"1"},{"type":"odd"}]',
    );
    expect(flattenContentToText(content)).toBe('a b');
    expect(await convertAguiContentToStrands(content, log)).toEqual([new TextBlock('a b')]);
    expect(log.warn.mock.calls).toEqual([['Only text reaches the model; left out: audio, document, unknown part']]);
    expect([await convertAguiContentToStrands(''), await convertAguiContentToStrands(undefined)]).toEqual([[], []]);
  });
});
