import {
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  CitationsBlock,
  type ContentBlock,
  ContentBlockEvent,
  ImageBlock,
  InvokeModelStage,
  JsonBlock,
  Message,
  ModelMessageEvent,
  type ModelStreamEvent,
  ModelStreamUpdateEvent,
  ReasoningBlock,
  TextBlock,
  ToolResultBlock,
  ToolResultEvent,
  ToolStreamEvent,
  ToolStreamUpdateEvent,
  ToolUseBlock,
} from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import type { TranslatorInput } from './input.ts';
import type { StrandsEvent } from './sdk-events.ts';
import { createInputReader } from './sdk-input.ts';

const agent = new Agent({ model: new ScriptedModel([]), printer: false });
const about = { agent, invocationState: {} };

const model = (event: ModelStreamEvent): StrandsEvent => new ModelStreamUpdateEvent({ ...about, event });
const block = (contentBlock: ContentBlock): StrandsEvent => new ContentBlockEvent({ ...about, contentBlock });
const delta = (text: string): StrandsEvent =>
  model({ type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } });
const start = (toolUseId: string, name = 'look'): StrandsEvent =>
  model({ type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId } });
const args = (input: string): StrandsEvent =>
  model({ type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } });
const stop: StrandsEvent = model({ type: 'modelContentBlockStopEvent' });
const use = (toolUseId: string): ToolUseBlock => new ToolUseBlock({ name: 'look', toolUseId, input: { a: 1 } });
const said = (...content: ContentBlock[]): Message => new Message({ role: 'assistant', content });
const running = (toolUseId: string): StrandsEvent =>
  new BeforeToolCallEvent({ ...about, toolUse: { name: 'look', toolUseId, input: {} }, tool: undefined });
const report = (data: unknown): StrandsEvent =>
  new ToolStreamUpdateEvent({ ...about, event: new ToolStreamEvent({ data }) });

function read(events: readonly StrandsEvent[], warnings: string[] = []): readonly TranslatorInput[] {
  const reader = createInputReader((message) => warnings.push(message));
  return events.flatMap((event) => reader.read(event));
}

describe('[C5.1] the reader', () => {
  it('reads what is inside the wrappers, and the same without one', () => {
    const inner: ModelStreamEvent = { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'a' } };
    const expected = [{ type: 'text', text: 'a' }];
    expect(read([model(inner)])).toEqual(expected);
    expect(read([inner])).toEqual(expected);
    expect(read([block(new TextBlock('a'))])).toEqual(expected);
    expect(read([new TextBlock('a')])).toEqual(expected);
    expect(read([new ToolStreamEvent({ data: 1 })])).toEqual([
      { type: 'tool_progress', toolUseId: undefined, data: 1 },
    ]);
  });

  it('does not read an assembled block that was streamed', () => {
    expect(read([start('x'), args('{}'), stop, block(use('x'))])).toEqual([
      { type: 'tool_start', toolUseId: 'x', name: 'look' },
      { type: 'tool_args', delta: '{}' },
      { type: 'block_stop' },
    ]);
    expect(read([delta('a'), stop, block(new TextBlock('a'))])).toHaveLength(2);
    const thought = model({
      type: 'modelContentBlockDeltaEvent',
      delta: { type: 'reasoningContentDelta', text: 'hm', signature: 's' },
    });
    expect(read([thought, stop, block(new ReasoningBlock({ text: 'hm', signature: 's' }))])).toHaveLength(2);
  });

  it('takes the assembled block for the end of one that did not end', () => {
    expect(read([start('x'), block(use('x')), stop]).map(({ type }) => type)).toEqual([
      'tool_start',
      'block_stop',
      'block_stop',
    ]);
  });

  it('reads whole blocks of a provider that does not stream, also those with cited text', () => {
    const cited = new CitationsBlock({ citations: [], content: [{ text: 'so ' }, { text: 'it is' }] });
    const inputs = read([block(new ReasoningBlock({ text: 'hm' })), block(cited), block(use('x'))]);
    expect(inputs).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'block_stop' },
      { type: 'text', text: 'so it is' },
      { type: 'tool_use', toolUseId: 'x', name: 'look', input: { a: 1 } },
    ]);
  });

  it('reads the text of a second block once too, by the short way', () => {
    const reader = createInputReader(() => undefined);
    const begin = model({ type: 'modelContentBlockStartEvent' });
    for (const piece of ['a', 'b']) {
      reader.read(begin);
      expect(reader.readPiece(delta(piece))).toEqual({ type: 'text', text: piece });
      reader.read(stop);
      expect(reader.read(block(new TextBlock(piece)))).toEqual([]);
    }
    expect(reader.readPiece(args('{}'))).toEqual({ type: 'tool_args', delta: '{}' });
    expect(reader.readPiece(delta(''))).toBeUndefined();
    expect(reader.readPiece(args(''))).toBeUndefined();
    expect(reader.readPiece(stop)).toBeUndefined();
  });

  it('reads a message that was not streamed at all', () => {
    const message = said(new TextBlock('from a cache'), use('x'));
    const event = new ModelMessageEvent({ ...about, message, stopReason: 'toolUse' });
    expect(read([event]).map(({ type }) => type)).toEqual(['text', 'tool_use']);
    expect(read([delta('streamed'), event])).toHaveLength(1);
  });

  it('tells a new message from a new try of one that broke off', () => {
    const begin = model({ type: 'modelMessageStartEvent', role: 'assistant' });
    const end = model({ type: 'modelMessageStopEvent', stopReason: 'endTurn' });
    expect(read([begin, end, begin, begin])).toEqual([
      { type: 'message_start', brokenOff: false },
      { type: 'message_start', brokenOff: false },
      { type: 'message_start', brokenOff: true },
    ]);
  });
});

describe('[C5.3] of thinking the reader', () => {
  const thought = (part: { text?: string; signature?: string; redactedContent?: Uint8Array }): StrandsEvent =>
    model({ type: 'modelContentBlockDeltaEvent', delta: { type: 'reasoningContentDelta', ...part } });

  it('swallows signatures and hands on redacted bytes as base64', () => {
    expect(read([thought({ signature: 's' }), thought({ text: '' })])).toEqual([]);
    expect(read([thought({ redactedContent: new Uint8Array([0, 1, 2]) })])).toEqual([
      { type: 'redacted', data: 'AAEC' },
    ]);
  });
});

describe('[C5.7] of a result the reader', () => {
  it('keeps every block', () => {
    const image = new ImageBlock({ format: 'png', source: { bytes: new Uint8Array() } });
    const content = [new TextBlock('a'), new JsonBlock({ json: { b: 1 } }), image];
    const result = new ToolResultBlock({ toolUseId: 'x', status: 'error', content });
    expect(read([new ToolResultEvent({ ...about, result })])).toEqual([
      {
        type: 'tool_result',
        toolUseId: 'x',
        status: 'error',
        content: [
          { type: 'text', text: 'a' },
          { type: 'json', json: { b: 1 } },
          { type: 'media', kind: 'image' },
        ],
      },
    ]);
  });
});

describe('[C5.8] of a progress report the reader', () => {
  it('says whose it is only when one tool runs', () => {
    const over = new AfterToolCallEvent({
      ...about,
      toolUse: { name: 'look', toolUseId: 'y', input: {} },
      tool: undefined,
      result: new ToolResultBlock({ toolUseId: 'y', status: 'success', content: [] }),
    });
    const events = [report(0), running('x'), report(1), running('y'), report(2), over, report(3)];
    expect(read(events)).toEqual([
      { type: 'tool_progress', toolUseId: undefined, data: 0 },
      { type: 'tool_progress', toolUseId: 'x', data: 1 },
      { type: 'tool_progress', toolUseId: undefined, data: 2 },
      { type: 'tool_progress', toolUseId: 'x', data: 3 },
    ]);
  });
});

describe('[C13.1] of a measurement the reader', () => {
  it('counts tokens of a cache as part of the prompt', () => {
    const named = new BeforeModelCallEvent({ ...about, model: new ScriptedModel([]) });
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15, cacheReadInputTokens: 4 };
    const beside = { ...usage, totalTokens: 19 };
    const measured = (counts: typeof usage): StrandsEvent => model({ type: 'modelMetadataEvent', usage: counts });
    expect(read([named, measured(usage), measured(beside), model({ type: 'modelMetadataEvent' })])).toEqual([
      {
        type: 'usage',
        model: 'scripted',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4 },
      },
      {
        type: 'usage',
        model: 'scripted',
        usage: { inputTokens: 14, outputTokens: 5, totalTokens: 19, cachedInputTokens: 4 },
      },
    ]);
  });
});

describe('[C13.3] of a stop the reader', () => {
  it.each([
    ['guardrailIntervened', [{ type: 'stopped', reason: 'guardrail_intervened' }]],
    ['contentFiltered', [{ type: 'stopped', reason: 'content_filtered' }]],
    ['endTurn', []],
    ['constructor', []],
  ])('%s says what a person should see', (stopReason, expected) => {
    expect(read([model({ type: 'modelMessageStopEvent', stopReason })])).toEqual(expected);
  });
});

describe('[C13.4] of what it does not know the reader', () => {
  const unknown = (event: object): StrandsEvent => event as StrandsEvent;

  it('passes on plain JSON without what belongs to the server', () => {
    const event = { type: 'myEvent', agent, invocationState: { key: 's' }, requestState: 1, gone: undefined, a: [1] };
    expect(read([unknown(event)])).toEqual([{ type: 'raw', event: { type: 'myEvent', a: [1] } }]);
    const redaction: ModelStreamEvent = { type: 'modelRedactionEvent', inputRedaction: { replaceContent: 'x' } };
    expect(read([model(redaction)])).toEqual([{ type: 'raw', event: redaction }]);
  });

  it('drops what is not JSON, and says so', () => {
    const warnings: string[] = [];
    expect(
      read([unknown({ type: 'myEvent', at: new Date() }), unknown({ type: 'b', n: Number.NaN })], warnings),
    ).toEqual([]);
    expect(warnings).toEqual([
      "an event of type 'myEvent' is not JSON and was not passed on",
      "an event of type 'b' is not JSON and was not passed on",
    ]);
  });

  it('never passes on the brackets of the loop or assembled blocks', async () => {
    const events: StrandsEvent[] = [];
    for await (const event of agent.stream('hi')) events.push(event);
    expect(new Set(events.map(({ type }) => type)).size).toBeGreaterThan(8);
    expect(read(events).filter(({ type }) => type === 'raw')).toEqual([]);
  });
});

describe('what hooks say in the place of the model', () => {
  const inputsOf = async (hooked: Agent): Promise<readonly TranslatorInput[]> => {
    const events: StrandsEvent[] = [];
    for await (const event of hooked.stream('hi')) events.push(event);
    return read(events).filter(({ type }) => type === 'text');
  };
  const made = (): Agent => new Agent({ model: new ScriptedModel([]), printer: false });

  it('[C5.2] is read when a hook cancels the run or the call of the model', async () => {
    const cancelled = made();
    cancelled.addHook(BeforeInvocationEvent, (event) => {
      event.cancel = 'not now';
    });
    expect(await inputsOf(cancelled)).toEqual([{ type: 'text', text: 'not now' }]);
    const silenced = made();
    silenced.addHook(BeforeModelCallEvent, (event) => {
      event.cancel = 'no model';
    });
    expect(await inputsOf(silenced)).toEqual([{ type: 'text', text: 'no model' }]);
  });

  it('[C5.2] is read when a hook ends the turn after the tools, or middleware answers', async () => {
    const script = new ScriptedModel([[{ text: 'first' }, { toolUse: { name: 'none', input: {} } }]]);
    const ended = new Agent({ model: script, printer: false });
    ended.addHook(AfterToolsEvent, (event) => {
      event.endTurn = 'that is all';
    });
    const texts = (await inputsOf(ended)).map((input) => (input.type === 'text' ? input.text : ''));
    expect(texts.join('')).toBe('firstthat is all');
    const cached = made();
    // biome-ignore lint/correctness/useYield: this middleware answers without streaming anything.
    cached.addMiddleware(InvokeModelStage, async function* () {
      return { result: { message: said(new TextBlock('cached')), stopReason: 'endTurn' } };
    });
    expect(await inputsOf(cached)).toEqual([{ type: 'text', text: 'cached' }]);
  });
});
