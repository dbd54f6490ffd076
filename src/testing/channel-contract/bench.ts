import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { ApprovalRequest, Principal } from '../../core/call.ts';
import { ToolCatalog } from '../../core/catalog.ts';
import type { Channel, ChannelAnswer, Delivery, Shown } from '../../core/channel.ts';
import type { DecideResult } from '../../core/decide.ts';
import { TierGate } from '../../core/gate.ts';
import { Inbox } from '../../core/inbox.ts';
import type { JSONValue } from '../../core/json.ts';
import type { CallOutcome } from '../../core/outcome.ts';
import { check, eventually } from '../store-contract/suite.ts';
import type { ChannelDriver } from './driver.ts';

/** Somebody who decides elsewhere. */
export const GRACE: Principal = { id: 'grace', kind: 'person' };

/** Who asks; never decides. */
const RITA: Principal = { id: 'rita', kind: 'person' };

/** One call that the suite makes, and its question. */
export interface Question {
  readonly request: ApprovalRequest;
  readonly outcome: Promise<CallOutcome<string>>;
  /** What the channel said when it had shown it. */
  readonly shown: Promise<Shown>;
  /** Withdraws the call. */
  cancel(): void;
}

/** The channel under test, with everything that goes in and out written down. */
class Watched implements Channel {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly deliveries: { readonly request: ApprovalRequest; readonly shown: Promise<Shown> }[] = [];
  readonly answers: ChannelAnswer[] = [];
  readonly #inner: Channel;

  constructor(inner: Channel) {
    this.#inner = inner;
    this.name = inner.name;
    if (inner.timeoutSeconds !== undefined) this.timeoutSeconds = inner.timeoutSeconds;
  }

  reaches(delivery: Pick<Delivery, 'request' | 'mayDecide'>): boolean | Promise<boolean> {
    return this.#inner.reaches(delivery);
  }

  deliver(delivery: Delivery): Promise<Shown> {
    const answer = (given: ChannelAnswer): ReturnType<Delivery['answer']> => {
      this.answers.push(given);
      return delivery.answer(given);
    };
    const shown = this.#inner.deliver(Object.freeze({ ...delivery, answer }));
    shown.catch(() => undefined);
    this.deliveries.push({ request: delivery.request, shown });
    return shown;
  }

  close(record: ApprovalRecord): void | Promise<void> {
    return this.#inner.close(record);
  }
}

/** A real gate and a real inbox around one channel. */
export class Bench<C extends Channel> {
  readonly channel: C;
  readonly driver: ChannelDriver<C>;
  readonly gate: TierGate;
  /** The arguments of every body that started. */
  readonly ran: JSONValue[] = [];
  readonly #watched: Watched;
  #questions = 0;

  constructor(channel: C, driver: ChannelDriver<C>) {
    this.channel = channel;
    this.driver = driver;
    this.#watched = new Watched(channel);
    const catalog = new ToolCatalog();
    catalog.register({ name: 'unlock_door', tier: 2, effect: 'Unlocks a door', inputSchema: { type: 'object' } });
    this.gate = new TierGate({
      catalog,
      approver: new Inbox({ channels: [this.#watched] }),
      policy: {
        version: 'contract',
        sees: () => true,
        mayDecide: ({ id }) => id === driver.person.id || id === GRACE.id,
      },
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    });
  }

  /** Every answer that the channel handed over. */
  get answers(): readonly ChannelAnswer[] {
    return this.#watched.answers;
  }

  /** What people have been shown, in one piece. */
  get text(): string {
    const seen = this.driver.seen(this.channel);
    return this.driver.joined?.(seen) ?? seen;
  }

  /** Makes a call that needs a question; resolves once the channel has it. */
  async ask(args: JSONValue = { door: 'front' }): Promise<Question> {
    const index = this.#questions++;
    const abort = new AbortController();
    const origin = { kind: 'model', conversation: `conversation-${index}`, principal: RITA } as const;
    const body = async (given: JSONValue): Promise<string> => {
      this.ran.push(given);
      return 'done';
    };
    const outcome = this.gate.run({ tool: 'unlock_door', arguments: args, origin }, body, { signal: abort.signal });
    const { deliveries } = this.#watched;
    await eventually(() => deliveries.length > index, 'the delivery of the question');
    const delivery = deliveries[index];
    if (delivery === undefined) throw new Error('the question was not delivered');
    return { ...delivery, outcome, cancel: () => abort.abort() };
  }

  /** Asks, and waits until all of it was shown. */
  async askAndShow(args?: JSONValue): Promise<Question & { readonly proof: Shown }> {
    const question = await this.ask(args);
    await settles(question.shown, 'the end of the delivery');
    return { ...question, proof: await question.shown };
  }

  answer(
    question: Pick<Question, 'request'>,
    decision: 'approved' | 'rejected',
    reason?: string,
  ): Promise<unknown> | unknown {
    const answer = { decision, ...(reason === undefined ? {} : { reason }) };
    return this.driver.answer(this.channel, question.request, answer);
  }

  async record({ request }: Pick<Question, 'request'>): Promise<ApprovalRecord> {
    const record = await this.gate.store.get(request.id);
    if (record === undefined) throw new Error('the question is gone from the store');
    return record;
  }

  /** Asks and approves one question from end to end: the channel is as good as new. */
  async stillWorks(what: string): Promise<void> {
    const before = this.ran.length;
    const question = await this.askAndShow({ door: 'control' });
    await this.answer(question, 'approved');
    await ended(question);
    check(this.ran.length === before + 1, `${what}: the next question could not be approved`);
  }

  /** A question that goes to the channel by hand, with answers that the test takes. */
  byHand(request: ApprovalRequest, answer: (given: ChannelAnswer) => Promise<DecideResult>): ByHand {
    const over = new AbortController();
    const given: ChannelAnswer[] = [];
    const shown = this.channel.deliver(
      Object.freeze({
        request,
        signal: over.signal,
        mayDecide: () => true,
        answer: (each: ChannelAnswer) => {
          given.push(each);
          return answer(each);
        },
      }),
    );
    shown.catch(() => undefined);
    return { shown, answers: given, over: () => over.abort() };
  }
}

/** A delivery that the test made itself. */
export interface ByHand {
  readonly shown: Promise<Shown>;
  readonly answers: readonly ChannelAnswer[];
  /** Fires the delivery's signal. */
  over(): void;
}

/** How a call ended, which it must do within five seconds. */
export async function ended({ outcome }: Pick<Question, 'outcome'>): Promise<CallOutcome<string>> {
  await settles(outcome, 'the end of the call');
  return outcome;
}

/** Waits, at most five seconds, until a promise settles. */
export async function settles(promise: Promise<unknown>, what: string): Promise<void> {
  let settled = false;
  const done = (): void => {
    settled = true;
  };
  void promise.then(done, done);
  await eventually(() => settled, what);
}
