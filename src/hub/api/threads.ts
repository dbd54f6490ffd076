import { Hono } from 'hono';
import { allRecords } from '../../core/all-records.ts';
import type { CancelInput } from '../../core/cancel.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound } from '../problem.ts';
import { channelOf } from './decision.ts';
import { needs } from './guard.ts';

/** Conversations that a list shows. */
const MAX_THREADS = 200;

/** What a thread is doing. */
export type ThreadStatus = 'idle' | 'running' | 'waiting';

/** `GET /api/threads`, `GET /api/threads/{id}` and `POST /api/threads/{id}/stop`: the caller's conversations. */
export function threadRoutes(parts: HubParts): Hono<HubEnv> {
  const { threads, bridge } = parts;
  return new Hono<HubEnv>()
    .get('/api/threads', async (context) => {
      const { principal } = context.get('identity');
      const entries = await threads.latest(principal, MAX_THREADS);
      const shown = entries.map(async ({ key, threadId, updatedAt, title }) => ({
        threadId,
        status: await threadStatus(parts, key),
        updatedAt,
        title,
      }));
      return context.json({ threads: await Promise.all(shown) });
    })
    .get('/api/threads/:id', async (context) => {
      const { principal } = context.get('identity');
      const entry = await threads.of(context.req.param('id'), principal);
      if (entry === undefined) throw notFound();
      const { threadId, key } = entry;
      const messages = await bridge.messagesOf(threadId, { principal });
      return context.json({ threadId, status: await threadStatus(parts, key), messages });
    })
    .post('/api/threads/:id/stop', needs('run'), async (context) => {
      const { principal } = context.get('identity');
      const entry = await threads.of(context.req.param('id'), principal);
      if (entry === undefined) throw notFound();
      const stopped = parts.runs.stop(entry.key);
      const channel = channelOf(context.get('identity'), context.req.raw.headers);
      await withdrawUnused(parts, entry.key, { by: principal, channel });
      return context.json({ stopped });
    });
}

/** A yes that was not used when its run was stopped must not start anything later. */
async function withdrawUnused(
  { gate }: HubParts,
  conversation: string,
  who: Pick<CancelInput, 'by' | 'channel'>,
): Promise<void> {
  for (const { id } of await allRecords(gate.store, { conversation, status: 'approved' })) {
    await gate.cancel(id, { ...who, because: 'the run was stopped' });
  }
}

/** What a thread is doing: a run is under way, it waits for answers, or nothing. */
export async function threadStatus({ runs, gate }: HubParts, key: string): Promise<ThreadStatus> {
  if (runs.isBusy(key)) return 'running';
  return (await gate.store.parked(key)) === undefined ? 'idle' : 'waiting';
}
