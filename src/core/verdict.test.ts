import { describe, expect, it } from 'vitest';
import { unlock, world } from '../../test/gate-fixture.ts';
import { invalidArgumentsText, refusalText, unknownOutcomeText, unknownToolText } from './verdict.ts';

const NOT_APPROVED = 'The user did not approve this action: unlock_door. Do not perform it; tell the user briefly.';

describe('[G7] the text that the model reads', () => {
  it('is exactly the fixed English sentence, whatever the UI language', async () => {
    for (const language of ['en', 'tr'] as const) {
      const { gate } = world(['rejected'], { language });
      expect(await gate.check(unlock())).toEqual({
        allowed: false,
        approval: 'rejected',
        reason: 'rejected',
        refusal: NOT_APPROVED,
      });
      expect(gate.language).toBe(language);
    }
  });

  it('has the reason of the person on a second line, and none when it is empty', async () => {
    const { gate } = world([
      { decision: 'rejected', reason: 'the dog is loose' },
      { decision: 'rejected', reason: '' },
    ]);
    expect(await gate.check(unlock())).toMatchObject({ refusal: `${NOT_APPROVED}\nReason: the dog is loose` });
    expect(await gate.check(unlock())).toMatchObject({ refusal: NOT_APPROVED });
  });

  it('is the same for a timeout, a cancelled call and a failed approver', async () => {
    const abort = new AbortController();
    abort.abort();
    const { gate } = world(['timeout', () => Promise.reject(new Error('x'))]);
    expect(await gate.check(unlock())).toMatchObject({ approval: 'timeout', refusal: NOT_APPROVED });
    expect(await gate.check(unlock())).toMatchObject({ reason: 'approver_failed', refusal: NOT_APPROVED });
    expect(await gate.check(unlock(), { signal: abort.signal })).toMatchObject({
      reason: 'cancelled',
      refusal: NOT_APPROVED,
    });
  });

  it('has exact words for every other way to refuse', () => {
    expect(refusalText('x')).toBe('The user did not approve this action: x. Do not perform it; tell the user briefly.');
    expect(unknownToolText('x')).toBe("Tool 'x' is not registered; it was not run.");
    expect(invalidArgumentsText('x', 'door is missing')).toBe(
      "The input for tool 'x' is not valid: door is missing. It was not run; correct the input.",
    );
    expect(unknownOutcomeText('x')).toBe(
      'The outcome of x is unknown: an earlier attempt was interrupted and may or may not have taken effect. It was not run again; tell the user, who can check and order a new attempt.',
    );
  });
});
