import { hookFailed } from '../opening.ts';
import { buildContextExtras } from '../request/extras.ts';
import type { EventStream } from '../translate/event-stream.ts';
import { translate } from '../translate/translator.ts';
import { endRun } from './end-run.ts';
import { leaveRun } from './leave-run.ts';
import type { OpenRun } from './open-run.ts';
import type { Parts } from './run-stream.ts';

/**
 * Streams a run to its end and puts its thread in order, however the run ends: also when the consumer leaves at any of
 * its events.
 */
export async function* streamRun(open: OpenRun): Parts {
  const stop = new AbortController();
  const events = translated(open, stop.signal);
  let ended = false;
  try {
    const { hookError } = open.begun;
    if (hookError !== undefined) yield hookFailed(hookError);
    yield events;
    const end = await events.ended;
    // An agent whose run failed on the way to the client is still at work.
    if (end.end.type !== 'result') stop.abort();
    ended = true;
    yield* await (end.end.type === 'left' ? leaveRun(open, end.closed) : endRun(open, end));
  } finally {
    stop.abort();
    if (!ended) await leaveRun(open, events.leave());
  }
}

function translated({ request, thread, tools, begun }: OpenRun, stop: AbortSignal): EventStream {
  const { parts, input, context } = request;
  const { agentRun, announced, unanswered } = begun;
  const stream = thread.agent.stream(agentRun.args, {
    invocationState: agentRun.invocationState,
    cancelSignal: AbortSignal.any([context.signal, stop]),
  });
  return translate(stream, {
    input,
    config: parts.config,
    extras: buildContextExtras(input),
    rules: {
      isFrontend: (name) => tools.proxyNames.has(name),
      alreadyAnnounced: (id) => announced.has(id),
      isUnanswered: (id) => unanswered.has(id),
    },
    newId: () => globalThis.crypto.randomUUID(),
    signal: context.signal,
    log: parts.log,
  });
}
