import type { Interrupt } from '@ag-ui/core';
import type { Interrupt as NativeInterrupt } from '@strands-agents/sdk';
import { parkRun, type Run } from '../../strands/run.ts';
import type { Logger, StrandsAgentConfig } from '../config.ts';
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
  const { config, log } = request.parts;
  const { run } = begun.agentRun;
  const natives = raised.filter(({ name }) => run?.context.wakeups.has(name) !== true).map(nativeInterrupt);
  const approvals =
    run === undefined || run.context.parked.size === 0 ? [] : await publishApprovals(thread, run, config);
  const interrupts = [...approvals, ...natives];
  writeBookkeeping(thread.agent, { pendingInterrupts: interrupts, visible: tools.namesToRemember() });
  await saveSession(thread.agent, log);
  return interrupts;
}

/** A run whose questions were all decided while it stopped still has to be woken: it asks them, and is told so then. */
async function publishApprovals(thread: ThreadAgent, run: Run, config: StrandsAgentConfig): Promise<Interrupt[]> {
  const { parked, gate } = run.context;
  const open = await parkRun(thread.agent, run.context);
  if (open === undefined) return [];
  const ids = open.length > 0 ? open.map(({ id }) => id) : [...parked];
  const records = await Promise.all(ids.map((id) => gate.store.get(id)));
  const reason = config.approvalReason ?? 'tau:approval';
  return records.flatMap((record) => (record === undefined ? [] : [approvalInterrupt(record, reason)]));
}

/** Remembers that a resume has finished, so that the same request is not run twice. */
export async function rememberResume(thread: ThreadAgent, fingerprint: string, log: Logger): Promise<void> {
  writeBookkeeping(thread.agent, { lastResumeFingerprint: fingerprint, pendingInterrupts: [], visible: undefined });
  await saveSession(thread.agent, log);
}
