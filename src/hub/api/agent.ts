import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { Hono } from 'hono';
import type { RequestContext } from '../../ag-ui/config.ts';
import type { ServedAgent } from '../../ag-ui/http/served-agent.ts';
import { createHandler } from '../../ag-ui/http/web-handler.ts';
import { runFinished } from '../../ag-ui/run-events.ts';
import { threadKey } from '../../ag-ui/thread/thread-key.ts';
import { messagesSnapshot } from '../../ag-ui/translate/events.ts';
import type { Identity } from '../auth/identity.ts';
import { outliving } from '../outlive.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { Problem } from '../problem.ts';
import type { Resumer } from '../resume.ts';
import { isStillAllowed, needs, unauthorized } from './guard.ts';
import { whileAllowed } from './while-allowed.ts';

/** Words of the errors of the run endpoint, by status. */
const CODES: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_input'],
  [413, 'too_large'],
  [415, 'unsupported_media_type'],
]);

/** `POST /agent`: one AG-UI run of the authenticated principal. */
export function agentRoute(parts: HubParts, resumer: Resumer): Hono<HubEnv> {
  const identities = new WeakMap<object, Identity>();
  const handler = createHandler(servedAgent(parts, resumer), {
    authenticate: (request) => identities.get(request)?.principal,
    mayDecide: (_principal, request) => identities.get(request)?.scopes.has('decide') === true,
    bodyLimit: parts.bodyLimit,
    keepAliveSeconds: parts.keepAliveSeconds,
    logger: { debug: parts.log.debug, warn: parts.log.warn, error: (message) => parts.log.error(message) },
  });
  return new Hono<HubEnv>().post('/agent', needs('run'), async (context) => {
    if (parts.runs.isDraining) throw stopping();
    const { raw } = context.req;
    identities.set(raw, context.get('identity'));
    const response = await handler(raw);
    if (!response.ok) throw await problemOf(response);
    // The body may have taken its time; nothing runs before somebody reads the answer.
    if (!(await isStillAllowed(parts, context))) {
      await response.body?.cancel();
      throw unauthorized();
    }
    // The run goes on by itself; whoever was signed out meanwhile reads no more of it.
    const { body, headers } = response;
    return new Response(body === null ? null : whileAllowed(body, () => isStillAllowed(parts, context)), { headers });
  });
}

/** The answer to a run that comes while the hub stops. */
function stopping(): Problem {
  return new Problem(503, 'stopping', 'The hub is stopping; try again soon.', { headers: { 'Retry-After': '10' } });
}

/** The bridge speaks the errors of the AG-UI server; here they have the shape of the hub's. */
async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const text = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : 'Refused';
  const issues = typeof body === 'object' && body !== null && 'issues' in body ? { issues: body.issues } : {};
  return new Problem(response.status, CODES.get(response.status) ?? 'refused', text, { extra: issues });
}

/**
 * Notes the thread of a run that is not refused, before its agent begins: what it asks must be found again. A refused one
 * leaves nothing behind.
 */
async function* noted(
  { threads, feeds }: HubParts,
  key: string,
  input: RunAgentInput,
  events: AsyncIterable<BaseEvent>,
): AsyncGenerator<BaseEvent, void, undefined> {
  let isNoted = false;
  for await (const event of events) {
    if (!isNoted && event.type !== 'RUN_STARTED' && event.type !== 'RUN_ERROR') {
      isNoted = true;
      await threads.note(key, input);
      feeds.threadChanged(key);
    }
    yield event;
  }
}

/**
 * The agent of the hub: each run is noted before its agent begins, and waits for what the hub itself does on its thread. It goes
 * on when its client leaves; `POST /api/threads/{id}/stop` ends it.
 */
function servedAgent(parts: HubParts, resumer: Resumer): ServedAgent {
  return {
    config: parts.bridge.config,
    async *run(
      input: RunAgentInput,
      { principal, headers, signal, mayDecide = false }: RequestContext,
    ): AsyncGenerator<BaseEvent> {
      const key = threadKey(input.threadId, principal);
      await resumer.settled(key, signal);
      if (signal.aborted) return;
      const { threadId } = input;
      const resumes = (input.resume ?? []).length > 0;
      const settled = (): Promise<void> => parts.bridge.idle({ threadId, principal });
      const lastWords = async (): Promise<readonly BaseEvent[]> => [
        messagesSnapshot(await parts.bridge.messagesOf(threadId, { principal })),
        runFinished(input),
      ];
      const events = parts.runs.follow({ key, resumes, settled, lastWords }, (stop) =>
        noted(parts, key, input, parts.bridge.run(input, { principal, headers, mayDecide, signal: stop })),
      );
      yield* outliving(events, parts.clock);
    },
  };
}
