import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseEvent, Message, ResumeEntry } from '@ag-ui/core';
import type { ApprovalRecord } from '../../src/core/approval-record.ts';
import type { Principal } from '../../src/core/call.ts';
import { request, user } from '../suites/ag-ui/input.ts';
import { type Leaving, post } from './client.ts';
import { type House, visitor } from './house.ts';
import { WISHES } from './model.ts';
import type { SeededRandom } from './random.ts';

/** How a run ended: `success`, `interrupt`, `left`, or the code of its error. */
type Ending = string;

const TURNS_PER_THREAD = 4;

/** How long a thread may be busy after a client has left it. */
const STUCK_MS = 10_000;

const STAY: Leaving = {};

/** What a client must expect that leaves without knowing what became of its run. */
const EXPECTED: ReadonlySet<Ending> = new Set(['left', 'PENDING_INTERRUPTS', 'UNKNOWN_INTERRUPT_ID']);

/** One client that talks, answers questions, hangs up at any moment, and comes back. */
export class Visitor {
  readonly #house: House;
  readonly #random: SeededRandom;
  readonly #principal: Principal;
  #messages: readonly Message[] = [];
  #threads = 0;
  #turns = 0;
  #runs = 0;
  /** What was said to each question of the thread. */
  readonly #said = new Map<string, { readonly approved: boolean }>();
  readonly #keys = new Set<string>();

  constructor(house: House, random: SeededRandom, name: string) {
    this.#house = house;
    this.#random = random;
    this.#principal = visitor(name);
  }

  /** One turn, up to its end or until this client leaves it. A thread that has had enough of them is replaced. */
  async turn(): Promise<void> {
    if (this.#turns >= TURNS_PER_THREAD) return this.settle();
    this.#turns += 1;
    const wishes = Object.keys(WISHES);
    const wish = wishes[this.#random.below(wishes.length)] ?? 'talk';
    let ending = await this.#say(wish, this.#leaving());
    while (ending === 'interrupt' || ending === 'PENDING_INTERRUPTS') ending = await this.#answer(this.#leaving());
  }

  /** Answers whatever is open, has a last run that must succeed, and starts a new thread. */
  async settle(): Promise<void> {
    let ending = await this.#say('talk', STAY);
    for (let round = 0; ending !== 'success' && round < 5; round++) {
      if (ending === 'interrupt' || ending === 'PENDING_INTERRUPTS') await this.#answer(STAY);
      ending = await this.#say('talk', STAY);
    }
    this.#house.ledger.count('threads settled');
    if (ending !== 'success') this.#house.ledger.fail(`Thread ${this.#thread} takes no run any more: ${ending}`);
    this.#house.ledger.forget(this.#keys);
    this.#keys.clear();
    this.#said.clear();
    this.#messages = [];
    this.#threads += 1;
    this.#turns = 0;
  }

  get #thread(): string {
    return `${this.#principal.id}-${this.#threads}`;
  }

  #leaving(): Leaving {
    if (this.#random.chance(0.6)) return STAY;
    return this.#random.chance(0.5) ? { afterBytes: this.#random.below(6000) } : { afterMs: this.#random.below(400) };
  }

  async #say(wish: string, leaving: Leaving): Promise<Ending> {
    const id = `${this.#principal.id}-${++this.#runs}`;
    this.#messages = [...this.#messages, user(`m-${id}`, `${wish} ${id}`)];
    return this.#run([], leaving);
  }

  /** Half of the questions are decided at the gate first; the resume then says the same, or something else in vain. */
  async #answer(leaving: Leaving): Promise<Ending> {
    const questions = await this.#house.questionsOf(this.#principal, this.#thread);
    const entries: ResumeEntry[] = [];
    for (const question of questions) {
      const payload = this.#said.get(question.id) ?? (await this.#decide(question));
      this.#said.set(question.id, payload);
      entries.push({ interruptId: question.id, status: 'resolved', payload });
    }
    this.#house.ledger.count('resumes');
    return this.#run(entries, leaving);
  }

  async #decide({ id, request: asked }: ApprovalRecord): Promise<{ readonly approved: boolean }> {
    const approved = this.#random.chance(0.65);
    if (approved) {
      const key = keyOf(asked.arguments);
      this.#keys.add(key);
      this.#house.ledger.approve(key);
    }
    if (this.#random.chance(0.5)) return { approved };
    const decision = approved ? 'approved' : 'rejected';
    const { status } = await this.#house.gate.decide(id, { decision, by: this.#principal, channel: 'soak' });
    this.#house.ledger.count(`decided at the gate: ${status}`);
    return { approved: this.#random.chance(0.9) ? approved : !approved };
  }

  /** Sends a run, again and again while the thread is still busy with one that was left. */
  async #run(resume: ResumeEntry[], leaving: Leaving): Promise<Ending> {
    const began = performance.now();
    for (;;) {
      const { ending, events } = await this.#send(resume, leaving);
      if (ending === 'THREAD_BUSY' && performance.now() - began < STUCK_MS) {
        this.#house.ledger.count('busy threads tried again');
        await sleep(25);
        continue;
      }
      this.#house.ledger.count(`runs: ${ending}`);
      if (ending === 'success' || ending === 'interrupt') this.#messages = snapshotOf(events) ?? this.#messages;
      else if (!EXPECTED.has(ending)) this.#house.ledger.fail(`A run of ${this.#thread} ended with ${ending}`);
      return ending;
    }
  }

  async #send(resume: ResumeEntry[], leaving: Leaving): Promise<{ ending: Ending; events: readonly BaseEvent[] }> {
    const plain = request(this.#thread, `${this.#thread}-${++this.#runs}`, [...this.#messages]);
    const input = resume.length > 0 ? { ...plain, resume } : plain;
    const { events, left } = await post(this.#house.server.url, this.#principal.id, input, leaving);
    return { ending: left ? 'left' : endingOf(events), events };
  }
}

function keyOf(args: unknown): string {
  return typeof args === 'object' && args !== null && 'key' in args ? String(args.key) : '';
}

function endingOf(events: readonly BaseEvent[]): Ending {
  const last: BaseEvent | undefined = events.at(-1);
  if (last?.type === 'RUN_ERROR') return String(last.code);
  if (last?.type !== 'RUN_FINISHED') return 'no ending';
  const { outcome } = last;
  return typeof outcome === 'object' && outcome !== null && 'type' in outcome ? String(outcome.type) : 'success';
}

function snapshotOf(events: readonly BaseEvent[]): Message[] | undefined {
  const snapshot = events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT');
  // The bridge made it from the protocol's own messages.
  return snapshot?.messages as Message[] | undefined;
}
