import type { Agent, InvocationState } from '@strands-agents/sdk';
import { allRecords } from '../core/all-records.ts';
import type { ParkedTurn } from '../core/approval-store.ts';
import type { ApprovalRequest, Principal } from '../core/call.ts';
import { freezeOrigin, freezePrincipal } from '../core/call.ts';
import type { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import { isJsonObject, type JSONValue } from '../core/json.ts';
import { Budget } from './budget.ts';
import { dropCheckpoint, readCheckpoint } from './checkpoint.ts';
import { openForCalls, repairHistory } from './history.ts';
import { loadParkedTurn, saveParkedTurn } from './parked-turn.ts';
import { bindRun, type RunContext } from './run-context.ts';
import type { TauAgentParts } from './tau-agent-parts.ts';

/** One run of a guarded agent: what its tools know of it, and the SDK object that carries it to them. */
export interface Run {
  readonly context: RunContext;
  readonly invocationState: InvocationState;
  /** The batch that a resumed run dispatches again, and its calls. */
  readonly resumed: { readonly batch: string; readonly pending: JSONValue } | undefined;
}

/** Who runs, and where. */
export interface RunRequest {
  readonly conversation: string;
  readonly principal?: Principal | undefined;
  /** Names of the tools that this run may see; absent means all. */
  readonly visible?: ReadonlySet<string> | undefined;
  /** Id of the run; default a random one. */
  readonly run?: string;
}

/** Starts a run. */
export function startRun(parts: TauAgentParts, request: RunRequest): Run {
  return open(parts, {
    conversation: request.conversation,
    run: request.run ?? globalThis.crypto.randomUUID(),
    principal: request.principal === undefined ? undefined : freezePrincipal(request.principal),
    visible: request.visible,
    budget: new Budget(parts.limits),
    waiting: new Map(),
    parked: new Set(),
  });
}

/**
 * Goes on with the parked run of a conversation; `undefined` when nothing waits.
 *
 * @param now - Who goes on, with the roles of today, and what may be seen from now on; default as when it parked.
 */
export async function resumeRun(
  parts: TauAgentParts,
  conversation: string,
  now: Pick<RunRequest, 'principal' | 'visible'> = {},
): Promise<Run | undefined> {
  const { store } = parts.gate;
  const parked = await loadParkedTurn(store, conversation);
  if (parked === undefined) return undefined;
  const { run, batch, principal, visible, spent, waiting, open: ids, pending } = parked;
  const resumed = open(
    parts,
    {
      conversation,
      run,
      principal: now.principal === undefined ? principal : freezePrincipal(now.principal),
      visible: now.visible ?? (visible === undefined ? undefined : new Set(visible)),
      budget: new Budget(parts.limits, spent),
      waiting: new Map(Object.entries(waiting)),
      parked: new Set(ids),
    },
    { batch, pending },
  );
  if (!parts.agent.messages.some((entry) => entry.trackingId === batch)) {
    openForCalls(parts.agent);
    return resumed;
  }
  // The calls are in the history already: the run went on, and died before it could say so.
  await closeRun(parts.agent, resumed, parts.language);
  return undefined;
}

type Varying = Pick<RunContext, 'conversation' | 'run' | 'principal' | 'visible' | 'budget' | 'waiting' | 'parked'>;

function open(parts: TauAgentParts, varying: Varying, resumed?: Run['resumed']): Run {
  const { agent, gate, channel, durable, background } = parts;
  const { conversation, run, principal } = varying;
  const context: RunContext = {
    ...varying,
    origin: freezeOrigin({
      kind: 'model',
      conversation,
      run,
      ...(principal === undefined ? {} : { principal }),
      ...(channel === undefined ? {} : { channel }),
    }),
    resumed: resumed !== undefined,
    dispatched: new Set(),
    gate,
    root: agent,
    durable,
    background,
    wakeups: new Set(),
    stop: new AbortController(),
    parkable: new WeakSet([agent]),
    outputTool: undefined,
  };
  const invocationState = {};
  bindRun(invocationState, context);
  return { context, invocationState, resumed };
}

/**
 * Keeps a run that stopped for open questions.
 *
 * @returns The questions; `undefined` when the agent did not stop at tool calls.
 */
export async function parkRun(agent: Agent, context: RunContext): Promise<readonly ApprovalRequest[] | undefined> {
  const { pending } = readCheckpoint(agent);
  if (pending === undefined) return undefined;
  await saveParkedTurn(context, pending);
  return openQuestions(context);
}

/** The questions of a run that nobody has decided yet. */
async function openQuestions(context: RunContext): Promise<readonly ApprovalRequest[]> {
  const records = await Promise.all([...context.parked].map((id) => context.gate.store.get(id)));
  return records.flatMap((record) => (record?.status === 'pending' ? [record.request] : []));
}

/** A run that is over, or was left, leaves no open question and no waiting call behind, and a usable history. */
export async function closeRun(agent: Agent, { context, resumed }: Run, language: Language): Promise<void> {
  const { batch: dropped } = dropCheckpoint(agent);
  repairHistory(agent, language);
  const batches = [resumed?.batch, dropped].filter((batch) => batch !== undefined);
  if (batches.length === 0 && context.parked.size === 0) return;
  const { gate, conversation, run } = context;
  await voidQuestions(gate, conversation, batches, context.parked);
  // By now the conversation may be parked on the calls of somebody who came after this run.
  const parked = await gate.store.parked(conversation);
  if (parked !== undefined && isOf(parked, run, batches)) await gate.store.unpark(conversation, parked);
}

/**
 * Drops what an agent waits at that is not parked: its session was saved in the middle of a stop, or an earlier run could
 * not keep it. Nobody can answer the questions of those calls any more, so they are void.
 *
 * @returns Whether there was any.
 */
export async function startClean(agent: Agent, gate: TierGate, conversation: string): Promise<boolean> {
  const { waited, batch } = dropCheckpoint(agent);
  if (batch !== undefined) await voidQuestions(gate, conversation, [batch]);
  return waited;
}

/** Ends the questions of a conversation that belong to some model messages, and others by their ids. */
async function voidQuestions(
  { store, clock }: TierGate,
  conversation: string,
  batches: readonly string[],
  others: Iterable<string> = [],
): Promise<void> {
  const ids = new Set(others);
  for (const batch of batches) {
    for (const { id } of await allRecords(store, { conversation, batch })) ids.add(id);
  }
  for (const id of ids) await store.close(id, 'void', clock.now(), 'the turn is over');
}

/** Whether a parked turn is that of a run which knows these batches; of one that cannot be read, only the run counts. */
function isOf({ run, state }: ParkedTurn, ownRun: string, batches: readonly string[]): boolean {
  const batch = isJsonObject(state) ? state.batch : undefined;
  return run === ownRun && (typeof batch !== 'string' || batches.includes(batch));
}
