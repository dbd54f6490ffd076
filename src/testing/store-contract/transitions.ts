import type { ApprovalRecord, ApprovalStatus, Transition } from '../../core/approval-record.ts';
import type { ApprovalStore } from '../../core/approval-store.ts';
import type { Principal } from '../../core/call.ts';
import { decision, NOW, outcome, question, receipt } from './sample.ts';
import { type AddTest, same, taken } from './suite.ts';

const ADA: Principal = { id: 'ada', kind: 'person', roles: ['admin'] };

type Take = (store: ApprovalStore, id: string) => Promise<Transition>;

/** Every step that anybody can try, by what it is called in the titles. */
const STEPS: Readonly<Record<string, Take>> = {
  deliver: (store, id) => store.deliver(id, receipt),
  approve: (store, id) => store.decide(id, decision('approved')),
  reject: (store, id) => store.decide(id, decision('rejected')),
  'time out': (store, id) => store.decide(id, decision('timeout')),
  cancel: (store, id) => store.close(id, 'cancelled', NOW + 2000, 'withdrawn', ADA),
  void: (store, id) => store.close(id, 'void', NOW + 2000, 'the tool was redefined'),
  expire: (store, id) => store.close(id, 'expired', NOW + 2000, 'not used in time'),
  consume: (store, id) => store.consume(id, 'token-1', NOW + 2000),
  'finish as done': (store, id) => store.finish(id, 'token-1', outcome('done')),
  'finish as failed': (store, id) => store.finish(id, 'token-1', outcome('failed')),
  'finish as unknown': (store, id) => store.finish(id, 'token-1', outcome('unknown')),
  'finish with another token': (store, id) => store.finish(id, 'token-2', outcome('done')),
  lose: (store, id) => store.lose(id, NOW + 3000),
};

type Changes = Partial<ApprovalRecord> & { readonly status: ApprovalStatus; readonly updatedAt: number };

/** What each status takes, and what the record then says; everything else is illegal. */
const LEGAL: Readonly<Record<ApprovalStatus, Readonly<Record<string, Changes>>>> = {
  pending: {
    deliver: { status: 'pending', deliveries: [receipt], updatedAt: NOW + 500 },
    approve: { status: 'approved', decision: decision('approved'), updatedAt: NOW + 1000 },
    reject: { status: 'rejected', decision: decision('rejected'), updatedAt: NOW + 1000 },
    'time out': { status: 'timeout', decision: decision('timeout'), updatedAt: NOW + 1000 },
    cancel: { status: 'cancelled', closedBecause: 'withdrawn', closedBy: ADA, updatedAt: NOW + 2000 },
    void: { status: 'void', closedBecause: 'the tool was redefined', updatedAt: NOW + 2000 },
  },
  approved: {
    cancel: { status: 'cancelled', closedBecause: 'withdrawn', closedBy: ADA, updatedAt: NOW + 2000 },
    void: { status: 'void', closedBecause: 'the tool was redefined', updatedAt: NOW + 2000 },
    expire: { status: 'expired', closedBecause: 'not used in time', updatedAt: NOW + 2000 },
    consume: { status: 'consumed', token: 'token-1', consumedAt: NOW + 2000, updatedAt: NOW + 2000 },
  },
  consumed: {
    'finish as done': { status: 'done', outcome: outcome('done'), updatedAt: NOW + 3000 },
    'finish as failed': { status: 'failed', outcome: outcome('failed'), updatedAt: NOW + 3000 },
    'finish as unknown': { status: 'unknown', outcome: outcome('unknown'), updatedAt: NOW + 3000 },
    lose: { status: 'unknown', outcome: { status: 'unknown', at: NOW + 3000 }, updatedAt: NOW + 3000 },
  },
  rejected: {},
  timeout: {},
  cancelled: {},
  void: {},
  expired: {},
  done: {},
  failed: {},
  unknown: {},
};

/** The steps that lead from a new question to each status. */
const PATHS: Readonly<Record<ApprovalStatus, readonly string[]>> = {
  pending: [],
  approved: ['approve'],
  rejected: ['reject'],
  timeout: ['time out'],
  cancelled: ['cancel'],
  void: ['approve', 'void'],
  expired: ['approve', 'expire'],
  consumed: ['approve', 'consume'],
  done: ['approve', 'consume', 'finish as done'],
  failed: ['approve', 'consume', 'finish as failed'],
  unknown: ['approve', 'consume', 'lose'],
};

/** Every status. */
export const STATUSES: readonly string[] = Object.keys(PATHS);

/** Makes a question that has come to a status. */
export async function bringTo(store: ApprovalStore, status: string, id: string): Promise<void> {
  const path = Object.entries(PATHS).find(([name]) => name === status)?.[1] ?? [];
  await walk(store, path, id);
}

/** Tests every step on a record of every status. */
export function transitionTests(add: AddTest): void {
  for (const [status, path] of Object.entries(PATHS)) {
    const legal: Readonly<Record<string, Changes>> = Object.entries(LEGAL).find(([name]) => name === status)?.[1] ?? {};
    const names = Object.keys(legal).join(', ') || 'nothing';
    add(`a record that is ${status} takes: ${names}; any other step is a value and changes nothing`, async (store) => {
      for (const [name, take] of Object.entries(STEPS)) await tryStep(store, path, name, take, legal[name]);
    });
  }
  add('every step on an unknown id is a value', async (store) => {
    for (const id of ['nobody', '__proto__', 'constructor', '', "' OR 1=1 --"]) {
      for (const [name, take] of Object.entries(STEPS)) {
        same(await take(store, id), { ok: false, reason: 'unknown_id' }, `${name} on ${JSON.stringify(id)}`);
      }
    }
  });
}

async function tryStep(
  store: ApprovalStore,
  path: readonly string[],
  name: string,
  take: Take,
  changes: Changes | undefined,
): Promise<void> {
  const id = `after ${path.join(', ')}: ${name}`;
  await walk(store, path, id);
  const before = await store.get(id);
  const transition = await take(store, id);
  const expected = { ...before, ...changes };
  const result = changes === undefined ? { ok: false, reason: 'illegal' } : { ok: true };
  same(transition, { ...result, record: expected }, id);
  same(await store.get(id), expected, `${id}, read again`);
}

async function walk(store: ApprovalStore, path: readonly string[], id: string): Promise<void> {
  await store.create(question(id));
  for (const step of path) taken(await stepNamed(step)(store, id), `${id}, on the way: ${step}`);
}

function stepNamed(name: string): Take {
  const take = STEPS[name];
  if (take === undefined) throw new Error(`no step is called ${name}`);
  return take;
}
