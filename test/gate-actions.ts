import fc from 'fast-check';
import type { Answer } from '../src/core/approver.ts';
import type { Principal } from '../src/core/call.ts';

/** What may happen to a gate; the numbers choose among what is there. */
export type Action =
  | {
      readonly type: 'run' | 'check';
      readonly process: number;
      readonly tool: 'unlock_door' | 'run_shell' | 'add_note';
      readonly door: number;
      readonly conversation: number;
      readonly batch: number;
      readonly toolUseId: number;
      readonly claim: boolean;
      readonly journal: boolean;
      readonly lock: boolean;
      readonly body: 'returns' | 'throws' | 'waits';
    }
  | { readonly type: 'answer'; readonly which: number; readonly answer: number }
  | { readonly type: 'decide'; readonly which: number; readonly approve: boolean; readonly by: number }
  | { readonly type: 'withdraw' | 'cancel' | 'finish'; readonly which: number }
  | { readonly type: 'advance'; readonly seconds: number }
  | { readonly type: 'redefine' | 'exempt' | 'restart'; readonly process: number };

const small = fc.nat({ max: 1 });
const which = fc.nat({ max: 5 });

/** Random actions; calls and answers are the most frequent. */
export const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constantFrom('run' as const, 'run' as const, 'check' as const),
        process: small,
        tool: fc.constantFrom(
          'unlock_door' as const,
          'unlock_door' as const,
          'run_shell' as const,
          'add_note' as const,
        ),
        door: small,
        conversation: small,
        batch: fc.constantFrom(0, 0, 1),
        toolUseId: small,
        claim: fc.constantFrom(true, true, false),
        journal: fc.boolean(),
        lock: fc.boolean(),
        body: fc.constantFrom('returns' as const, 'throws' as const, 'waits' as const),
      }),
    },
    { weight: 5, arbitrary: fc.record({ type: fc.constant('answer' as const), which, answer: fc.nat({ max: 7 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant('decide' as const),
        which,
        approve: fc.boolean(),
        by: fc.nat({ max: 2 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constantFrom('withdraw' as const, 'cancel' as const, 'finish' as const), which }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ type: fc.constant('advance' as const), seconds: fc.constantFrom(1, 29, 30, 60) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom('redefine' as const, 'exempt' as const, 'restart' as const),
        process: small,
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
);

/** The requester, a stranger, and an agent that calls itself like the requester. */
export const PEOPLE: readonly [Principal, Principal, Principal] = [
  { id: 'ada', kind: 'person' },
  { id: 'eve', kind: 'person' },
  { id: 'ada', kind: 'agent' },
];

/** What the desk may say; `counts` when it is the yes of somebody who may say so. No answer: it falls over. */
export const ANSWERS: readonly { readonly answer: Answer | undefined; readonly counts: boolean }[] = [
  { answer: 'approved', counts: true },
  { answer: { decision: 'approved', by: PEOPLE[0], reason: 'fine' }, counts: true },
  { answer: 'approved', counts: true },
  { answer: { parked: true }, counts: false },
  { answer: 'rejected', counts: false },
  { answer: { decision: 'approved', by: PEOPLE[1] }, counts: false },
  { answer: { decision: 'approved', by: PEOPLE[2] }, counts: false },
  { answer: undefined, counts: false },
];
