import type { Interrupt } from '@ag-ui/core';
import type { Interrupt as NativeInterrupt } from '@strands-agents/sdk';
import type { ApprovalRecord } from '../../core/approval-record.ts';
import { parkRun, type Run } from '../../strands/run.ts';
import type { Logger } from '../config.ts';
import type { OpenRun } from '../thread/open-run.ts';
import { saveSession } from '../thread/save-session.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { writeBookkeeping } from './bookkeeping.ts';
import { approvalInterrupt, nativeInterrupt } from './publish.ts';

/**
 * Keeps a run that stopped for answers, and tells what it waits for. The questions are stored before they are
 * published, so an answer that comes at once finds them.
 *
 * @param raised - The interrupts that the SDK reports, tau's own wake-ups among them.
 */
export async function keepStopped(
  { thread, request, begun, tools }: OpenRun,
  raised: readonly NativeInterrupt[],
): Promise<readonly Interrupt[]> {
  const { log } = request.parts;
  const { run } = begun.agentRun;
  const natives = raised.filter(({ name }) => run?.context.wakeups.has(name) !== true).map(nativeInterrupt);
  const records = run === undefined || run.context.parked.size === 0 ? [] : await park(thread, run);
  const open = records.filter(({ status }) => status === 'pending');
  // A run whose questions were all decided while it stopped still has to be woken: it asks them, and is told so then.
  const asked =
    open.length > 0 || natives.length > 0 ? open : records.filter(({ consumedAt }) => consumedAt === undefined);
  const interrupts = [...shownTo(request, run, asked), ...natives];
  writeBookkeeping(thread.agent, {
    pendingInterrupts: interrupts,
    visible: tools.namesToRemember(),
    clientTools: [...tools.proxyNames],
  });
  await saveSession(thread.agent, log);
  return interrupts;
}

/** Questions as whoever sent the request is shown them. */
function shownTo(
  { parts, context }: OpenRun['request'],
  run: Run | undefined,
  asked: readonly ApprovalRecord[],
): readonly Interrupt[] {
  if (run === undefined) return [];
  const viewer = { ...context, gate: run.context.gate, reason: parts.config.approvalReason ?? 'tau:approval' };
  return asked.map((record) => approvalInterrupt(record, viewer));
}

/** Keeps the calls of a run in the store. Returns what is known of its questions. */
async function park(thread: ThreadAgent, { context }: Run): Promise<readonly ApprovalRecord[]> {
  if ((await parkRun(thread.agent, context)) === undefined) return [];
  const records = await Promise.all([...context.parked].map((id) => context.gate.store.get(id)));
  return records.filter((record) => record !== undefined);
}

/** Remembers that a resume has finished, so that the same request is not run twice. */
export async function rememberResume(thread: ThreadAgent, fingerprint: string, log: Logger): Promise<void> {
  writeBookkeeping(thread.agent, {
    lastResumeFingerprint: fingerprint,
    pendingInterrupts: [],
    visible: undefined,
    clientTools: [],
  });
  await saveSession(thread.agent, log);
}
