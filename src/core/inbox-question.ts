import type { ApprovalRecord, DeliveryReceipt } from './approval-record.ts';
import type { ApprovalRequest, Principal } from './call.ts';
import type { Channel, ChannelAnswer, Delivery, Shown } from './channel.ts';
import type { DecideResult } from './decide.ts';
import type { Desk } from './desk.ts';
import type { EditResult } from './edit.ts';
import { TauError } from './errors.ts';

/** How long a question may stay up whose end the store does not tell of, in milliseconds. */
const ABANDON_MS = 10_000;

const MISMATCH: DecideResult = Object.freeze({ status: 'digest_mismatch' });

/** One question on all channels, from its first delivery until it was taken down everywhere. */
export class InboxQuestion {
  readonly id: string;
  /** Resolves with the final record once the question was taken down. */
  readonly ended: Promise<ApprovalRecord>;
  /** Whether anybody was reached: `true` with the first delivery, `false` once the last channel has failed. */
  readonly reached: Promise<boolean>;
  readonly #desk: Desk;
  readonly #record: ApprovalRecord;
  readonly #request: ApprovalRequest;
  readonly #asked: Channel[] = [];
  readonly #over = new AbortController();
  readonly #end: (record: ApprovalRecord) => void;
  #final: ApprovalRecord | undefined;

  /** @param request - What to show: the gate's own object where it is at hand, else what is stored. */
  constructor(desk: Desk, record: ApprovalRecord, request: ApprovalRequest, channels: readonly Channel[]) {
    this.id = record.id;
    this.#desk = desk;
    this.#record = record;
    this.#request = request;
    const { promise, resolve } = Promise.withResolvers<ApprovalRecord>();
    this.ended = promise;
    this.#end = resolve;
    this.reached = anyTrue(channels.map((channel) => this.#deliverOn(channel)));
  }

  /** Looks whether the question is over. */
  async refresh(): Promise<void> {
    if (this.#final !== undefined) return;
    try {
      const record = await this.#desk.store.get(this.id);
      if (record !== undefined && record.status !== 'pending') this.#takeDown(record);
    } catch (error) {
      this.#desk.report('the question could not be read again', this.#request, error);
    }
  }

  /** The asking call is gone. Its end is on record soon, unless the store is broken: then nothing stays up for ever. */
  abandon(): void {
    const stop = this.#desk.clock.after(ABANDON_MS, () => this.#takeDown(this.#record));
    void this.ended.then(stop);
  }

  /** Takes the question down everywhere, once; each channel for itself. */
  #takeDown(record: ApprovalRecord): void {
    if (this.#final !== undefined) return;
    this.#final = record;
    for (const channel of this.#asked) void this.#close(channel, record);
    this.#over.abort(OVER);
    this.#end(record);
  }

  async #close(channel: Channel, record: ApprovalRecord): Promise<void> {
    try {
      await channel.close(record);
    } catch (error) {
      this.#desk.report(`channel '${channel.name}' could not take a question down`, this.#request, error);
    }
  }

  /** Whether somebody was reached there. Never rejects. */
  async #deliverOn(channel: Channel): Promise<boolean> {
    const shown = Promise.withResolvers<Shown | undefined>();
    try {
      const delivery = this.#delivery(channel, shown.promise);
      const reaches: unknown = await channel.reaches(delivery);
      if (reaches !== true || this.#over.signal.aborted) return false;
      this.#asked.push(channel);
      const proof = readShown(await channel.deliver(delivery));
      await this.#note({ channel: channel.name, at: this.#desk.clock.now(), delivered: true, ...proof });
      shown.resolve(proof);
      return true;
    } catch (error) {
      await this.#failed(channel, error);
      return false;
    } finally {
      shown.resolve(undefined);
    }
  }

  async #failed(channel: Channel, error: unknown): Promise<void> {
    if (this.#over.signal.aborted) return;
    this.#desk.report(`channel '${channel.name}' could not deliver a question`, this.#request, error);
    await this.#note({ channel: channel.name, at: this.#desk.clock.now(), delivered: false });
  }

  /** Notes a delivery. A store that fails here does not keep the question from being answered. */
  async #note(receipt: DeliveryReceipt): Promise<void> {
    try {
      await this.#desk.store.deliver(this.id, Object.freeze(receipt));
    } catch (error) {
      this.#desk.report('a delivery could not be noted', this.#request, error);
    }
  }

  #delivery(channel: Channel, shown: Promise<Shown | undefined>): Delivery {
    const { expiresAt } = this.#record;
    return Object.freeze({
      request: this.#request,
      ...(expiresAt === undefined ? {} : { expiresAt }),
      signal: this.#over.signal,
      mayDecide: (principal: Principal) => this.#desk.mayDecide(principal, this.#request),
      answer: (answer: ChannelAnswer) => this.#answer(channel, shown, answer),
    });
  }

  async #answer(
    { name }: Channel,
    shown: Promise<Shown | undefined>,
    answer: ChannelAnswer,
  ): Promise<DecideResult | EditResult> {
    const { decision, by, digest, shownDigest, reason, editedArguments } = answer;
    if (typeof digest !== 'string') return MISMATCH;
    if (decision === 'approved' && !(await this.#wasShown(shown, shownDigest))) return MISMATCH;
    const about = { by, channel: name, digest, shownDigest };
    return decision === 'approved' && editedArguments !== undefined
      ? this.#desk.edit(this.id, { ...about, arguments: editedArguments })
      : this.#desk.decide(this.id, { ...about, decision, ...(reason === undefined ? {} : { reason }) });
  }

  /** Whether all of the question was shown there, and what was shown is what is answered. One that is over tells who won. */
  async #wasShown(shown: Promise<Shown | undefined>, shownDigest: string): Promise<boolean> {
    const proof = await Promise.race([shown, this.ended.then(() => undefined)]);
    if (this.#final !== undefined) return this.#final.status !== 'pending';
    return proof?.shownDigest !== undefined && proof.shownDigest === shownDigest;
  }
}

// Made once: an exception costs more than all the rest of a question that is answered at once.
const OVER = new DOMException('The question is over', 'AbortError');

/** Reads a proof by the letter: what a channel hands over goes on record. */
function readShown(shown: unknown): Shown {
  const digest: unknown =
    typeof shown === 'object' && shown !== null && 'shownDigest' in shown ? shown.shownDigest : undefined;
  if (typeof shown !== 'object' || shown === null)
    throw new TauError('channel', 'deliver() did not say what was shown');
  if (digest === undefined) return {};
  if (typeof digest === 'string' && /^[0-9a-f]{64}$/.test(digest)) return { shownDigest: digest };
  throw new TauError('channel', 'shownDigest is not a SHA-256 in lower-case hex');
}

/** `true` with the first promise that resolves so, `false` when none does. */
function anyTrue(promises: readonly Promise<boolean>[]): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  for (const each of promises) void each.then((value) => value && resolve(true));
  void Promise.all(promises).then(() => resolve(false));
  return promise;
}
