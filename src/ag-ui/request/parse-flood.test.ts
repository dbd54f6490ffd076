import { expect, test } from 'vitest';
import { parseRunAgentInput } from './parse.ts';

const base = { threadId: 't', runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} };
const ITEMS = 900;

/** Items that are of no type that is asked for, and how many of them were looked into. */
function nonsense(): { readonly items: readonly object[]; readonly seen: Set<number> } {
  const seen = new Set<number>();
  const items = Array.from({ length: ITEMS }, (_, at) => {
    const look = (): number => {
      seen.add(at);
      return 1;
    };
    return Object.defineProperties(
      {},
      {
        role: { get: look },
        type: { get: look },
        name: { get: look },
        description: { get: look },
        interruptId: { get: look },
        id: { get: look },
      },
    );
  });
  return { items, seen };
}

test('[C12.2] a request answers at most 1,000 questions; one with more is not read to its end', () => {
  const answers = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ interruptId: `i${at}`, status: 'resolved', payload: true }));
  expect(parseRunAgentInput({ ...base, resume: answers(1000) }).ok).toBe(true);
  const message = 'has more than 1000 entries; answer the open interrupts of this thread and no others';
  expect(parseRunAgentInput({ ...base, resume: answers(1001) })).toEqual({
    ok: false,
    issues: [{ path: 'resume', message }],
  });
  const { items, seen } = nonsense();
  expect(parseRunAgentInput({ ...base, resume: items }).ok).toBe(false);
  expect(seen.size).toBeLessThan(50);
});

test.each<[string, (items: readonly object[]) => object]>([
  ['messages', (items) => ({ messages: items })],
  ['tools', (items) => ({ tools: items })],
  ['context', (items) => ({ context: items })],
  ['resume', (items) => ({ resume: items })],
  ['content', (items) => ({ messages: [{ id: 'm', role: 'user', content: items }] })],
  ['toolCalls', (items) => ({ messages: [{ id: 'm', role: 'assistant', toolCalls: items }] })],
])('[C12.2] a list of nothing but mistakes in %s is not read to its end', (_where, body) => {
  const { items, seen } = nonsense();
  expect(parseRunAgentInput({ ...base, ...body(items) }).ok).toBe(false);
  expect(seen.size).toBeGreaterThan(0);
  expect(seen.size).toBeLessThan(50);
});
