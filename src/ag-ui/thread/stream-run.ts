import { leaveStream } from '../../strands/leave-stream.ts';
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
  const events = translated(open);
  let ended = false;
  try {
    const { hookError } = open.begun;
    if (hookError !== undefined) yield hookFailed(hookError);
    yield events;
    const end = await events.ended;
    ended = true;
    yield* await (end.end.type === 'left' ? leaveRun(open, end.closed) : endRun(open, end));
  } finally {
    if (!ended) await leaveRun(open, events.leave());
  }
}

function translated({ request, thread, tools, begun }: OpenRun): EventStream {
  const { parts, input, context } = request;
  const { agentRun, announced, unanswered } = begun;
  const { leaving } = request;
  if (agentRun.run !== undefined) leaving.watch(agentRun.run.context.gate, agentRun.run.context.run);
  const { agent } = thread;
  const stream = agent.stream(agentRun.args, { invocationState: agentRun.invocationState });
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
    // Given a signal, the SDK would join it with its own and look at both for every event.
    cancel: () => agent.cancel(),
    leave: async (left) => {
      // It was on its way out: its error is of no use to anybody.
      await leaveStream(agent, left).catch(() => undefined);
    },
    log: parts.log,
  });
}
