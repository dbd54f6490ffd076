import type { ApprovalRecord } from '../src/core/approval-record.ts';
import type { Answer, Approver } from '../src/core/approver.ts';
import type { ApprovalRequest, ToolCall } from '../src/core/call.ts';
import { type CatalogEntry, ToolCatalog } from '../src/core/catalog.ts';
import { definitionDigest } from '../src/core/digest.ts';
import type { AgentEvent } from '../src/core/events.ts';
import { TierGate } from '../src/core/gate.ts';
import type { JSONValue } from '../src/core/json.ts';
import { MemoryApprovalStore } from '../src/core/memory-store.ts';
import type { RunOptions } from '../src/core/options.ts';
import type { CallOutcome } from '../src/core/outcome.ts';
import { ManualClock } from '../src/testing/manual-clock.ts';
import { type Action, ANSWERS, PEOPLE } from './gate-actions.ts';
import { type Held, held } from './gate-fixture.ts';

/** A tool body that started. */
export interface Start {
  readonly tool: string;
  readonly args: JSONValue;
  readonly definition: string;
}

/** One dispatch, and how it ended. */
export interface Dispatch {
  readonly call: ToolCall;
  readonly starts: Start[];
  approval: string | undefined;
  approvalId: string | undefined;
  outcome: CallOutcome<string> | 'check' | undefined;
}

/** A catalog whose tools get a new version while the process lives. */
class Reloading extends ToolCatalog {
  #version = 1;

  reload(): void {
    this.#version++;
  }

  override get(name: string): CatalogEntry | undefined {
    const entry = super.get(name);
    return entry === undefined ? undefined : Object.freeze({ ...entry, version: String(this.#version) });
  }
}

/** One gate in one process. */
interface Process {
  readonly gate: TierGate;
  readonly tools: Reloading;
  exempt: boolean;
  inside: number;
}

/** A question at the desk. */
interface OpenQuestion {
  readonly request: ApprovalRequest;
  readonly answer: Held<Answer>;
}

/** Several gates on one store, people at a desk, and everything that was seen. */
export class GateModel implements Approver {
  readonly name: string = 'desk';
  readonly clock: ManualClock = new ManualClock();
  readonly store: MemoryApprovalStore = new MemoryApprovalStore();
  readonly events: AgentEvent[] = [];
  readonly dispatches: Dispatch[] = [];
  readonly asked: Map<string, ApprovalRequest> = new Map();
  /** Ids of the questions to which somebody who may do so said yes. */
  readonly yes: Set<string> = new Set();
  /** How often an exemption let a call pass, by tool and arguments. */
  readonly exempted: Map<string, number> = new Map();
  readonly violations: string[] = [];
  readonly #open: OpenQuestion[] = [];
  readonly #aborts: AbortController[] = [];
  readonly #bodies: Held<void>[] = [];
  readonly #work: Promise<unknown>[] = [];
  readonly #processes: [Process, Process];

  constructor() {
    this.#processes = [this.#start(), this.#start()];
  }

  async decide(request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<Answer> {
    this.asked.set(request.id, request);
    const question = { request, answer: held<Answer>() };
    const sameLine = this.#open.filter(({ request: { origin } }) => origin.run === request.origin.run);
    if (sameLine.some(({ request: { origin } }) => origin.conversation === request.origin.conversation))
      this.violations.push('two questions were open in one conversation of one gate');
    this.#open.push(question);
    signal.addEventListener('abort', () => this.#close(question), { once: true });
    try {
      return await question.answer.promise;
    } finally {
      this.#close(question);
    }
  }

  async act(action: Action): Promise<void> {
    switch (action.type) {
      case 'run':
      case 'check':
        this.#work.push(this.#dispatch(action));
        break;
      case 'answer':
        this.#answer(action.which, action.answer);
        break;
      case 'decide':
        await this.#decideElsewhere(action.which, action.approve, action.by);
        break;
      case 'withdraw':
        await this.store.close(
          pick([...this.asked.keys()], action.which) ?? '',
          'cancelled',
          this.clock.now(),
          'withdrawn',
        );
        break;
      case 'cancel':
        pick(this.#aborts, action.which)?.abort();
        break;
      case 'finish':
        pick(this.#bodies, action.which)?.settle();
        break;
      case 'advance':
        await this.clock.advance(action.seconds * 1000);
        break;
      case 'redefine':
        this.#process(action.process).tools.reload();
        break;
      case 'exempt':
        this.#process(action.process).exempt = !this.#process(action.process).exempt;
        break;
      case 'restart':
        this.#processes[action.process === 0 ? 0 : 1] = this.#start();
        break;
      default:
        action satisfies never;
    }
    await this.clock.advance(0);
  }

  /** Cancels what waits and lets every body end. */
  async end(): Promise<readonly ApprovalRecord[]> {
    for (const abort of this.#aborts) abort.abort();
    for (const body of this.#bodies) body.settle();
    await this.clock.advance(0);
    for (const body of this.#bodies) body.settle();
    await Promise.all(this.#work);
    return (await this.store.list({ limit: 1000 })).records;
  }

  #start(): Process {
    const tools = new Reloading();
    const schema = { type: 'object' };
    tools.extend([
      { name: 'add_note', tier: 1, effect: 'Adds a note', inputSchema: schema },
      { name: 'unlock_door', tier: 2, effect: 'Unlocks a door', inputSchema: schema },
      { name: 'run_shell', tier: 2, effect: (args) => `Runs ${JSON.stringify(args)}`, inputSchema: schema },
    ]);
    const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const gate = new TierGate({
      catalog: tools,
      approver: this,
      clock: this.clock,
      store: this.store,
      logger: silent,
      timeoutSeconds: 30,
      useWithinSeconds: 60,
      sinks: [(event) => void this.events.push(event)],
    });
    const process: Process = { gate, tools, exempt: false, inside: 0 };
    gate.addExemption((tool, args) => {
      if (process.exempt) this.exempted.set(keyOf(tool, args), (this.exempted.get(keyOf(tool, args)) ?? 0) + 1);
      return process.exempt;
    });
    return process;
  }

  async #dispatch(action: Extract<Action, { type: 'run' | 'check' }>): Promise<void> {
    const process = this.#process(action.process);
    const abort = new AbortController();
    this.#aborts.push(abort);
    const conversation = `c${action.conversation}`;
    const toolUseId = `t${action.toolUseId}`;
    const call: ToolCall = {
      tool: action.tool,
      arguments: { door: action.door },
      toolUseId,
      origin: { kind: 'model', conversation, principal: { id: 'ada', kind: 'person' }, run: runOf(process) },
    };
    const dispatch: Dispatch = { call, starts: [], approval: undefined, approvalId: undefined, outcome: undefined };
    this.dispatches.push(dispatch);
    const options: RunOptions<string> = {
      signal: abort.signal,
      position: { conversation, batch: `m${action.batch}`, toolUseId },
      claim: action.claim,
      journal: action.journal,
      lock: action.lock,
    };
    if (action.type === 'check') return this.#checkAndRedeem(process, dispatch, options);
    const body = (args: JSONValue): Promise<string> => this.#body(process, dispatch, action, args);
    const outcome = await process.gate.run(call, body, options);
    dispatch.outcome = outcome;
    if (outcome.status === 'success' || outcome.status === 'error') {
      dispatch.approval = outcome.approval;
      dispatch.approvalId = outcome.approvalId;
    }
  }

  async #body(
    process: Process,
    dispatch: Dispatch,
    { body, lock, tool }: Extract<Action, { type: 'run' | 'check' }>,
    args: JSONValue,
  ): Promise<string> {
    dispatch.starts.push(startOf(process, tool, args));
    const locked = lock && tool !== 'add_note';
    if (locked && ++process.inside > 1) this.violations.push('two tier-2 bodies ran at once');
    try {
      if (body === 'waits') {
        const end = held<void>();
        this.#bodies.push(end);
        await end.promise;
      }
      if (body === 'throws') throw new Error('the body failed');
      return 'done';
    } finally {
      if (locked) process.inside--;
    }
  }

  async #checkAndRedeem(process: Process, dispatch: Dispatch, options: RunOptions<string>): Promise<void> {
    const verdict = await process.gate.check(dispatch.call, options);
    dispatch.outcome = 'check';
    if (!verdict.allowed) return;
    const { ticket } = verdict;
    dispatch.approval = verdict.approval;
    const other: ToolCall = { ...ticket.call, arguments: { door: 99 } };
    if (await process.gate.redeem(ticket, other)) this.violations.push('a ticket fitted other arguments');
    const redeemed = await Promise.all([1, 2, 3].map(() => process.gate.redeem(ticket, ticket.call)));
    for (const ok of redeemed) if (ok) dispatch.starts.push(startOf(process, ticket.call.tool, ticket.call.arguments));
  }

  #answer(index: number, kind: number): void {
    const question = pick(this.#open, index);
    const given = pick(ANSWERS, kind);
    if (question === undefined || given === undefined) return;
    if (given.counts) this.yes.add(question.request.id);
    if (given.answer === undefined) question.answer.fail(new Error('the desk fell over'));
    else question.answer.settle(given.answer);
  }

  async #decideElsewhere(index: number, approve: boolean, who: number): Promise<void> {
    const id = pick([...this.asked.keys()], index);
    const by = pick(PEOPLE, who);
    if (id === undefined || by === undefined) return;
    const decision = approve ? 'approved' : 'rejected';
    const result = await this.#processes[0].gate.decide(id, { decision, by, channel: 'web' });
    if (result.status !== 'decided') return;
    if (by !== PEOPLE[0]) this.violations.push(`${by.kind} ${by.id} decided`);
    if (approve) this.yes.add(id);
  }

  #process(index: number): Process {
    return this.#processes[index === 0 ? 0 : 1];
  }

  #close(question: OpenQuestion): void {
    const index = this.#open.indexOf(question);
    if (index >= 0) this.#open.splice(index, 1);
  }
}

const runs = new WeakMap<Process, string>();
let started = 0;

/** A name for each process, carried by its calls as their run. */
function runOf(process: Process): string {
  const name = runs.get(process) ?? `process-${++started}`;
  runs.set(process, name);
  return name;
}

function startOf({ tools }: Process, tool: string, args: JSONValue): Start {
  const entry = tools.get(tool);
  return { tool, args, definition: entry === undefined ? 'gone' : definitionDigest(entry) };
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % Math.max(items.length, 1)];
}

/** One text for a tool with its arguments. */
export function keyOf(tool: string, args: JSONValue): string {
  return `${tool} ${JSON.stringify(args)}`;
}
