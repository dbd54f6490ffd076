import type { Interrupt } from '@ag-ui/core';
import type { AgentResult } from '@strands-agents/sdk';
import { errorText } from '../../core/errors.ts';
import { PARK_PREFIX } from '../../strands/parking.ts';
import { parkRun, type Run } from '../../strands/run.ts';
import type { Logger, StrandsAgentConfig } from '../config.ts';
import type { ThreadAgent } from '../thread/thread-agent.ts';
import { writeBookkeeping } from './bookkeeping.ts';
import { approvalInterrupt, nativeInterrupt } from './publish.ts';

/** What a stopped run is kept with. */
export interface StoppedRun {
  readonly thread: ThreadAgent;
  readonly run: Run | undefined;
  readonly result: AgentResult;
  readonly config: StrandsAgentConfig;
  /** Names that were visible when it stopped; `undefined` when nothing is filtered. */
  readonly visible: readonly string[] | undefined;
  readonly log: Logger;
}

/**
 * Keeps a run that stopped for answers, and tells what it waits for. The questions are stored before they are
 * published, so an answer that comes at once finds them.
 */
export async function keepStopped(stopped: StoppedRun): Promise<readonly Interrupt[]> {
  const { thread, run, result, config, visible, log } = stopped;
  const natives = (result.interrupts ?? []).filter(({ name }) => !name.startsWith(PARK_PREFIX)).map(nativeInterrupt);
  const approvals =
    run === undefined || run.context.parked.size === 0 ? [] : await publishApprovals(thread, run, config);
  const interrupts = [...approvals, ...natives];
  writeBookkeeping(thread.agent, { pendingInterrupts: interrupts, visible });
  await save(thread, log);
  return interrupts;
}

async function publishApprovals(thread: ThreadAgent, run: Run, config: StrandsAgentConfig): Promise<Interrupt[]> {
  const requests = (await parkRun(thread.agent, run.context)) ?? [];
  const records = await Promise.all(requests.map(({ id }) => run.context.gate.store.get(id)));
  const reason = config.approvalReason ?? 'tau:approval';
  return records.flatMap((record) => (record === undefined ? [] : [approvalInterrupt(record, reason)]));
}

/** Remembers that a resume has finished, so that the same request is not run twice. */
export async function rememberResume(thread: ThreadAgent, fingerprint: string, log: Logger): Promise<void> {
  writeBookkeeping(thread.agent, { lastResumeFingerprint: fingerprint, pendingInterrupts: [], visible: undefined });
  await save(thread, log);
}

async function save({ agent }: ThreadAgent, log: Logger): Promise<void> {
  try {
    await agent.sessionManager?.saveSnapshot({ target: agent, isLatest: true });
  } catch (error) {
    log.warn(`The session could not be saved: ${errorText(error)}`);
  }
}
