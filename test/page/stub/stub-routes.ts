import type { ApprovalRecord } from '../../../src/core/approval-record.ts';
import type { JSONValue } from '../../../src/core/json.ts';
import type { Stage } from './stub-agent.ts';
import { ADA } from './stub-world.ts';

/** An answer: its status and its JSON. */
export type Answer = readonly [status: number, body: unknown];

/** A request, read. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, JSONValue>>;
}

const NOT_FOUND: Answer = [404, { error: { code: 'not_found', message: 'There is nothing here.' } }];

/** The JSON API of docs/guide/http-api.md. */
export async function answer(stage: Stage, asked: Asked): Promise<Answer> {
  const { world, threads } = stage;
  const { path, query } = asked;
  if (path === '/api/me') {
    return [200, { principal: ADA, scopes: ['run', 'decide'], language: 'en', demo: true }];
  }
  if (path === '/api/tools') {
    const shown = world.tools.map(({ name, description, tier }) => ({
      name,
      description,
      tier,
      effect: '',
      visible: true,
    }));
    return [200, { tools: shown }];
  }
  if (path === '/api/audit') return audit(stage, query);
  if (path === '/api/threads') return [200, { threads: [...threads.values()].map(summary) }];
  if (path.startsWith('/api/threads/')) {
    const thread = threads.get(decodeURIComponent(path.slice('/api/threads/'.length)));
    if (thread === undefined) return NOT_FOUND;
    return [200, { threadId: thread.threadId, status: thread.status, messages: thread.messages }];
  }
  if (path === '/api/approvals') return list(stage, query);
  return path.startsWith('/api/approvals/') ? one(stage, asked) : NOT_FOUND;
}

function summary(thread: {
  threadId: string;
  status: string;
  updatedAt: number;
  messages: Record<string, unknown>[];
}): object {
  const { threadId, status, updatedAt, messages } = thread;
  return { threadId, status, updatedAt, title: String(messages[0]?.content ?? '') };
}

function audit({ world }: Stage, query: URLSearchParams): Answer {
  const after = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? 100);
  const { seq = 0, hash = '0'.repeat(64) } = world.rows.at(-1) ?? {};
  return [200, { rows: world.rows.filter((row) => row.seq > after).slice(0, limit), head: { seq, hash } }];
}

async function list({ world }: Stage, query: URLSearchParams): Promise<Answer> {
  const status = query.get('status');
  const { records } = await world.store.list({ limit: 1000 });
  const wanted = records.filter((record) => status === null || record.status === status);
  const ordered = query.get('order') === 'newest' ? [...wanted].reverse() : wanted;
  const from = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 100);
  const nextCursor = from + limit < ordered.length ? String(from + limit) : undefined;
  return [200, { approvals: ordered.slice(from, from + limit).map((record) => world.view(record)), nextCursor }];
}

async function one(stage: Stage, { path, body }: Asked): Promise<Answer> {
  const { world } = stage;
  const [, , , id = '', what] = path.split('/').map(decodeURIComponent);
  const record = await world.store.get(id);
  if (record === undefined) return NOT_FOUND;
  switch (what) {
    case undefined:
      return [200, { approval: world.view(record) }];
    case 'decision':
      return decision(stage, record, body);
    case 'cancel':
      await world.store.close(id, 'cancelled', Date.now(), 'withdrawn by ada');
      return again(stage, id);
    case 'retry':
      return again(stage, await world.retry(record));
    default:
      return NOT_FOUND;
  }
}

async function again({ world }: Stage, id: string): Promise<Answer> {
  const record = await world.store.get(id);
  return record === undefined ? NOT_FOUND : [200, { approval: world.view(record) }];
}

async function decision({ world }: Stage, record: ApprovalRecord, body: Asked['body']): Promise<Answer> {
  const { decision: decided, digest, reason, editedArguments } = body;
  const common = { by: ADA, channel: 'web', digest: String(digest) };
  if (decided !== 'approved' && decided !== 'rejected') return [400, { error: { code: 'decision', message: 'no' } }];
  const result =
    editedArguments === undefined
      ? await world.gate.decide(record.id, {
          ...common,
          decision: decided,
          ...(typeof reason === 'string' ? { reason } : {}),
        })
      : await world.gate.edit(record.id, { ...common, arguments: editedArguments });
  if (result.status === 'invalid') return [422, { error: { code: 'invalid', message: result.problem } }];
  if (result.status === 'digest_mismatch') return [422, { error: { code: 'digest_mismatch', message: 'Another.' } }];
  if (!('record' in result)) return NOT_FOUND;
  const approval = world.view(result.record);
  if (result.status !== 'already_decided') return [200, { approval, result: result.status }];
  return [409, { error: { code: 'already_decided', message: 'Somebody was faster.' }, approval }];
}
