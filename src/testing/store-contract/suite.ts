import canonicalize from 'canonicalize';
import type { ApprovalRecord, Transition } from '../../core/approval-record.ts';
import type { ApprovalStore } from '../../core/approval-store.ts';

/** The two functions of a test runner that a contract suite needs; those of vitest, jest and `node:test` fit. */
export interface ContractRunner {
  /** Groups tests under a title. */
  readonly describe: (title: string, body: () => void) => unknown;
  /** Adds one test. */
  readonly it: (title: string, body: () => Promise<void>) => unknown;
}

/** One test of a contract: gets a new, empty store. */
export type StoreTest<S extends ApprovalStore = ApprovalStore> = (store: S) => Promise<void>;

/** Adds one test to the suite. */
export type AddTest = (title: string, test: StoreTest) => void;

/** Throws when two values differ as JSON; an absent property and an undefined one are the same. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [canonical(actual), canonical(expected)];
  if (got !== wanted) throw new Error(`${what}:\n  expected ${wanted}\n  got      ${got}`);
}

/** Throws when `condition` is false. */
export function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/** The record of a step that must have been taken. */
export function taken(transition: Transition, what: string): ApprovalRecord {
  if (!transition.ok) throw new Error(`${what}: expected the step to be taken, got ${canonical(transition)}`);
  return transition.record;
}

/** Throws unless the promise rejects. */
export async function rejects(promise: Promise<unknown>, what: string): Promise<void> {
  const outcome = await promise.then(
    () => 'resolved',
    () => 'rejected',
  );
  check(outcome === 'rejected', `${what}: expected a rejection`);
}

/** Waits, at most five seconds, until `condition` holds; a notification may take a moment. */
export async function eventually(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < 500; waited++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${what}: did not happen within five seconds`);
}

function canonical(value: unknown): string {
  return value === undefined ? 'undefined' : (canonicalize(JSON.parse(JSON.stringify(value))) ?? 'undefined');
}
