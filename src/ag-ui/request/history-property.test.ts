import type { Message } from '@ag-ui/core';
import type { ContentBlockData, MessageData, ToolResultBlockData } from '@strands-agents/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flattenContentToText } from './content.ts';
import { replayHistory } from './history.ts';
import type { KnownCalls } from './known-calls.ts';
import { seedForPrompt } from './seed.ts';

/** What a model refuses about a history; empty when it would be accepted. */
function faults(messages: readonly MessageData[]): string[] {
  const called = messages.flatMap(({ content }) => usesIn(content));
  const twice = called.filter((id, i) => called.indexOf(id) !== i);
  return [
    ...twice.map((id) => `${id} is called twice`),
    ...messages.flatMap((message, i) => turnFaults(message, i, messages[i - 1])),
    ...usesIn(messages.at(-1)?.content ?? []).map((id) => `${id} is never answered`),
  ];
}

function turnFaults({ role, content }: MessageData, i: number, before: MessageData | undefined): string[] {
  const answered = content.flatMap((block) => ('toolResult' in block ? [block.toolResult.toolUseId] : []));
  const asked = usesIn(before?.content ?? []);
  const rules: [string, boolean][] = [
    ['whose turn it is', role === (i % 2 === 0 ? 'user' : 'assistant')],
    ['that a turn says something', content.length > 0],
    ['that a text says something', content.every((block) => !('text' in block) || block.text !== '')],
    ['that only the assistant calls', role === 'assistant' || usesIn(content).length === 0],
    ['what was asked', answered.toSorted().join() === asked.toSorted().join()],
  ];
  return rules.flatMap(([rule, kept]) => (kept ? [] : [`turn ${i} breaks the rule ${rule}`]));
}

function usesIn(content: readonly ContentBlockData[]): string[] {
  return content.flatMap((block) => ('toolUse' in block ? [block.toolUse.toolUseId] : []));
}

function ownResult(toolUseId: string): ToolResultBlockData {
  return { toolUseId, status: 'error', content: [{ text: 'own' }] };
}

const IDS = ['a', 'b', 'c', '', '__proto__', 'toString'];
const anyId = fc.constantFrom(...IDS);
const anyText = fc.oneof(
  fc.constantFrom('', ' ', '{', '{"a":1}', '[1]', '\ud800', '{"__proto__":1}', '99999999999999999999'),
  fc.string(),
);
const anyContent = fc.oneof(
  anyText,
  fc.array(
    fc.oneof(
      anyText.map((text) => ({ type: 'text' as const, text })),
      fc.constant({ type: 'image' as const, source: { type: 'url' as const, value: 'https://a/b.png' } }),
    ),
    { maxLength: 3 },
  ),
);
const hostileMessage: fc.Arbitrary<Message> = fc.oneof(
  anyContent.map((content): Message => ({ id: 'x', role: 'user', content })),
  anyText.map((content): Message => ({ id: 'x', role: 'system', content })),
  anyText.map((content): Message => ({ id: 'x', role: 'reasoning', content })),
  fc.tuple(anyId, anyContent, fc.option(anyText)).map(
    ([toolCallId, content, error]): Message => ({
      id: 'x',
      role: 'tool',
      toolCallId,
      content,
      ...(error === null ? {} : { error }),
    }),
  ),
  fc
    .tuple(
      fc.option(anyText),
      fc.array(fc.tuple(anyId, fc.constantFrom('read', 'no good', '__proto__', ''), anyText), { maxLength: 4 }),
    )
    .map(
      ([content, made]): Message => ({
        id: 'x',
        role: 'assistant',
        ...(content === null ? {} : { content }),
        toolCalls: made.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } })),
      }),
    ),
);

describe('replayHistory', () => {
  test('[C3.3, C6.7] whatever a client sends, a model accepts the history', () => {
    fc.assert(
      fc.property(fc.array(hostileMessage, { maxLength: 14 }), fc.subarray(IDS), (messages, seen) => {
        const known: KnownCalls = (id) =>
          seen.includes(id) ? { name: 'own', input: {}, result: ownResult(id) } : undefined;
        const { messages: history } = replayHistory(messages, { known });
        expect(faults(history)).toEqual([]);
        expect(faults([...seedForPrompt({ messages }), { role: 'user', content: [{ text: 'now' }] }])).toEqual([]);
        const told = history.flatMap(({ content }) => content).filter((block) => 'toolResult' in block);
        for (const { toolResult } of told) {
          if (seen.includes(toolResult.toolUseId)) expect(toolResult.content).toEqual([{ text: 'own' }]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('no text of the user is lost', () => {
    fc.assert(
      fc.property(fc.array(hostileMessage, { maxLength: 10 }), (messages) => {
        const told = replayHistory(messages).messages.flatMap(({ role, content }) =>
          role === 'user'
            ? content.flatMap((block) => ('text' in block && block.text !== ' ' ? [block.text] : []))
            : [],
        );
        const said = messages.flatMap((message) =>
          message.role === 'user' ? [flattenContentToText(message.content)] : [],
        );
        expect(told.filter((text) => !text.startsWith('[image]'))).toEqual(said.filter((text) => text.trim() !== ''));
      }),
    );
  });
});
