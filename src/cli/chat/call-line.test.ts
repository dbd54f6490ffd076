import { expect, test } from 'vitest';
import type { ToolCallEvent } from '../../core/events.ts';
import { speak } from '../messages.ts';
import { callLine } from './call-line.ts';

const call: ToolCallEvent = {
  type: 'tool_call',
  at: 0,
  tool: 'unlock_door',
  tier: 2,
  arguments: { door: 'front' },
  status: 'success',
  resultSummary: 'done',
  approval: 'approved',
  durationMs: 1,
  origin: { kind: 'model' },
};

const refused = { status: 'error', approval: 'refused' } as const;

test.each<[string, Partial<ToolCallEvent>, string]>([
  ['an approved call', {}, '✓ unlock_door {"door":"front"} · tier 2 · approved, ok'],
  ['a read', { tier: 0, approval: 'not_required', arguments: {} }, '✓ unlock_door · tier 0 · ok'],
  ['an exempt call', { approval: 'exempt' }, '✓ unlock_door {"door":"front"} · tier 2 · exempt, ok'],
  [
    'a no',
    { ...refused, approval: 'rejected', reason: 'rejected' },
    '✗ unlock_door {"door":"front"} · tier 2 · not approved, not run',
  ],
  [
    'silence',
    { ...refused, approval: 'timeout', reason: 'timeout' },
    '✗ unlock_door {"door":"front"} · tier 2 · no answer in time, not run',
  ],
  [
    'a cancelled call',
    { ...refused, reason: 'cancelled' },
    '✗ unlock_door {"door":"front"} · tier 2 · cancelled, not run',
  ],
  [
    'an unknown tool',
    { ...refused, tier: undefined, reason: 'not_registered', arguments: {} },
    '✗ unlock_door · unknown tool · unknown tool, not run',
  ],
  [
    'another refusal',
    { ...refused, reason: 'void', arguments: {} },
    '✗ unlock_door · tier 2 · refused (void), not run',
  ],
  [
    'a body that failed',
    { status: 'error', resultSummary: 'jammed\nat x', arguments: {} },
    '✗ unlock_door · tier 2 · failed: jammed',
  ],
  [
    'hostile text',
    { tool: 'a\u001b[2J', arguments: { 'x\u202e': '\n' } },
    '✓ a\\u001b[2J {"x\\u202e":"\\n"} · tier 2 · approved, ok',
  ],
])('%s is one line', (_what, change, line) => {
  expect(callLine({ ...call, ...change }, speak('en')).text).toBe(line);
});

test('long arguments are cut', () => {
  const { text } = callLine({ ...call, arguments: { text: 'x'.repeat(500) } }, speak('en'));
  expect(text.length).toBeLessThan(120);
});
