import { Agent, MaxTokensError, ModelThrottledError, tool } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedModel } from './scripted-model.ts';

const readLock = tool({
  name: 'read_lock',
  description: 'Reads a lock',
  inputSchema: z.object({ door: z.string() }),
  callback: ({ door }) => `${door} is locked`,
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('ScriptedModel', () => {
  it('drives the real agent loop: tool use, result, answer', async () => {
    const model = new ScriptedModel([
      [
        { reasoning: 'let me look' },
        { text: 'One moment.' },
        { toolUse: { name: 'read_lock', input: { door: 'front' } } },
      ],
      [{ text: 'It is locked.' }],
    ]);
    const agent = new Agent({ model, tools: [readLock], systemPrompt: 'Be brief.', printer: false });
    const result = await agent.invoke('Is the front door locked?');
    expect(result.stopReason).toBe('endTurn');
    expect(result.lastMessage.content.map((block) => block.toJSON())).toEqual([{ text: 'It is locked.' }]);
    expect(model.offered).toEqual([['read_lock'], ['read_lock']]);
    expect(model.calls.map((call) => call.messages.length)).toEqual([1, 3]);
    expect(model.calls[0]?.systemPrompt).toBe('Be brief.');
    expect(model.calls[1]?.messages[1]?.content).toEqual([
      { reasoning: { text: 'let me look' } },
      { text: 'One moment.' },
      { toolUse: { name: 'read_lock', toolUseId: 'tooluse_1', input: { door: 'front' } } },
    ]);
    expect(model.calls[1]?.messages[2]?.content).toMatchObject([
      { toolResult: { toolUseId: 'tooluse_1', status: 'success', content: [{ text: 'front is locked' }] } },
    ]);
  });

  it('sends text and tool input in several pieces, and tells its usage', async () => {
    const model = new ScriptedModel([
      [{ text: 'abcdefg' }, { toolUse: { name: 'read_lock', input: { door: 'front' }, toolUseId: 'mine' } }],
    ]);
    const events = await all(model.stream([]));
    expect(events.map((event) => event.type)).toEqual([
      'modelMessageStartEvent',
      'modelContentBlockStartEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockStopEvent',
      'modelContentBlockStartEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockDeltaEvent',
      'modelContentBlockStopEvent',
      'modelMessageStopEvent',
      'modelMetadataEvent',
    ]);
    expect(events.at(-2)).toMatchObject({ stopReason: 'toolUse' });
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 } });
  });

  it('throws what the script says, and stops for the given reason', async () => {
    const model = new ScriptedModel([
      new ModelThrottledError('busy'),
      { blocks: [{ text: 'cut' }], stopReason: 'maxTokens' },
    ]);
    const agent = new Agent({ model, printer: false, retryStrategy: null });
    await expect(agent.invoke('a')).rejects.toBeInstanceOf(ModelThrottledError);
    await expect(agent.invoke('b')).rejects.toBeInstanceOf(MaxTokensError);
  });

  it('hands messages and options to a function, and answers a fixed text when the script ends', async () => {
    const model = new ScriptedModel([(messages) => [{ text: `${messages.length} message` }]]);
    const agent = new Agent({ model, printer: false });
    expect(String(await agent.invoke('a'))).toBe('1 message');
    expect(String(await agent.invoke('b'))).toBe('(script ended)');
  });

  it('stops when the agent is cancelled, while it waits and between two pieces', async () => {
    const abort = new AbortController();
    const model = new ScriptedModel([() => new Promise(() => undefined), [{ text: 'abcdefg' }]]);
    const waiting = all(model.stream([], { cancelSignal: abort.signal }));
    abort.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    const second = new AbortController();
    const seen: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const event of model.stream([], { cancelSignal: second.signal })) {
        seen.push(event.type);
        if (event.type === 'modelContentBlockDeltaEvent') second.abort(new Error('enough'));
      }
    };
    await expect(reading()).rejects.toThrow('enough');
    expect(seen).toEqual(['modelMessageStartEvent', 'modelContentBlockStartEvent', 'modelContentBlockDeltaEvent']);
  });

  it('records copies that later changes do not reach', async () => {
    const model = new ScriptedModel([[{ toolUse: { name: 'read_lock', input: { door: 'front' } } }]]);
    const agent = new Agent({ model, tools: [readLock], printer: false });
    await agent.invoke('a');
    const before = structuredClone(model.calls.map((call) => call.messages));
    for (const message of agent.messages) message.content.length = 0;
    expect(model.calls.map((call) => call.messages)).toEqual(before);
  });
});
