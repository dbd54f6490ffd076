import { expect, test } from 'vitest';
import { TauError } from '../core/errors.ts';
import { storeProblem } from './store-problem.ts';

test('[P18] what is wrong with a store is told with what to do, without a path', () => {
  const told = (code: string): unknown => {
    const problem = storeProblem(new TauError(code, 'the store /home/ada/.tau/tau.db …'));
    return problem === undefined ? undefined : [problem.status, problem.code, problem.headers['Retry-After']];
  };
  expect(
    ['locked', 'full', 'readonly', 'corrupt', 'replaced', 'closed', 'failed'].map((kind) => told(`store_${kind}`)),
  ).toEqual([
    [503, 'store_locked', '2'],
    [503, 'store_full', '30'],
    [503, 'store_readonly', undefined],
    [503, 'store_corrupt', undefined],
    [503, 'store_replaced', undefined],
    [503, 'store_closed', '10'],
    [503, 'store_failed', '10'],
  ]);
  expect([told('duplicate_id'), storeProblem(new Error('store_full'))]).toEqual([undefined, undefined]);
  const { message } = storeProblem(new TauError('store_full', 'the store /home/ada/.tau/tau.db')) ?? {};
  expect(message).not.toContain('/');
});
