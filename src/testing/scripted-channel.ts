import type { ApprovalRecord } from '../core/approval-record.ts';
import { type ApprovalRequest, type Principal, principalOf } from '../core/call.ts';
import type { Channel, ChannelAnswer, Delivery, Shown } from '../core/channel.ts';
import type { DecideResult } from '../core/decide.ts';
import { digestJson } from '../core/digest.ts';
import type { EditResult } from '../core/edit.ts';
import { escapeText, showJson } from '../core/escape.ts';
import type { JSONValue } from '../core/json.ts';

/** What somebody answers on a scripted channel. */
export interface ScriptedReply {
  readonly decision: 'approved' | 'rejected';
  readonly reason?: string;
  readonly editedArguments?: JSONValue;
  /** Who answers; default the person of the channel. */
  readonly by?: Principal;
}

/**
 * One entry of a channel's script, for one question.
 *
 * | entry | what happens |
 * |---|---|
 * | a `ScriptedReply` | it is answered once the question was shown |
 * | `'silent'` | the question is shown; nobody answers by script |
 * | an `Error` | the delivery fails with it |
 * | a function | it is called with the delivery; what it returns is the entry. Until it does, the delivery is under way |
 */
export type ScriptedDelivery =
  | ScriptedReply
  | 'silent'
  | Error
  | ((delivery: Delivery) => ScriptedDelivery | Promise<ScriptedDelivery>);

/** What became of one answer. */
export type AnswerResult = DecideResult | EditResult;

interface Up {
  readonly delivery: Delivery;
  readonly shownDigest: string;
}

/**
 * A channel for tests: shows questions as lines of text, answers them from a script, one entry for each question in the
 * order they come, and records all of it. A script that runs out is silence: nothing is approved that the test did not
 * write down.
 *
 * @example
 * ```ts
 * const channel = new ScriptedChannel({ person: ada, script: [{ decision: 'approved' }, 'silent'] });
 * const gate = new TierGate({ catalog, approver: new Inbox({ channels: [channel] }) });
 * // … two calls; the second one waits …
 * await channel.answer(channel.requests[1]?.id ?? '', { decision: 'rejected', reason: 'not now' });
 * ```
 */
export class ScriptedChannel implements Channel {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly #person: Principal;
  readonly #script: readonly ScriptedDelivery[];
  readonly #deliveries: Delivery[] = [];
  readonly #up = new Map<string, Up>();
  readonly #lines: string[] = [];
  readonly #closed: ApprovalRecord[] = [];
  readonly #results: AnswerResult[] = [];
  readonly #errors: unknown[] = [];

  /**
   * @param options.person - Who sits there, and answers when an entry names nobody else.
   * @param options.name - Name in records; default `scripted`.
   * @param options.timeoutSeconds - As a channel states it; default no limit.
   * @param options.script - What happens to each question; default silence.
   */
  constructor(options: {
    readonly person: Principal;
    readonly name?: string;
    readonly timeoutSeconds?: number;
    readonly script?: readonly ScriptedDelivery[];
  }) {
    this.name = options.name ?? 'scripted';
    this.#person = options.person;
    this.#script = [...(options.script ?? [])];
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
  }

  /** Everything that was to be delivered, in order. */
  get requests(): readonly ApprovalRequest[] {
    return this.#deliveries.map(({ request }) => request);
  }

  /** Ids of the questions that are up. */
  get open(): readonly string[] {
    return [...this.#up.keys()];
  }

  /** The record that each question was taken down with, in order. */
  get closed(): readonly ApprovalRecord[] {
    return [...this.#closed];
  }

  /** What became of each answer, in order. */
  get results(): readonly AnswerResult[] {
    return [...this.#results];
  }

  /** Why answers of the script could not be handed over, as when the store is broken. */
  get errors(): readonly unknown[] {
    return [...this.#errors];
  }

  /** All lines that were shown. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  reaches({ mayDecide }: Pick<Delivery, 'mayDecide'>): boolean {
    return mayDecide(this.#person);
  }

  async deliver(delivery: Delivery): Promise<Shown> {
    let entry: ScriptedDelivery = this.#script[this.#deliveries.length] ?? 'silent';
    this.#deliveries.push(delivery);
    while (typeof entry === 'function') entry = await entry(delivery);
    if (entry instanceof Error) throw entry;
    delivery.signal.throwIfAborted();
    const lines = textOf(delivery.request);
    this.#lines.push(...lines);
    const { id } = delivery.request;
    const up = { delivery, shownDigest: digestJson(lines) };
    this.#up.set(id, up);
    if (entry !== 'silent') void this.#reply(up, entry).catch((error: unknown) => this.#errors.push(error));
    return { shownDigest: up.shownDigest };
  }

  close(record: ApprovalRecord): void {
    this.#closed.push(record);
    this.#up.delete(record.id);
    const who = record.decision === undefined ? '' : ` by ${escapeText(record.decision.by.id)}`;
    this.#lines.push(`${record.status}${who}`);
  }

  /**
   * Somebody answers a question by hand, as with a button that may be out of date.
   *
   * @returns What became of it; `undefined` when nothing of the kind was ever shown.
   */
  async answer(id: string, reply: ScriptedReply): Promise<AnswerResult | undefined> {
    const delivery = this.#deliveries.find(({ request }) => request.id === id);
    if (delivery === undefined) return undefined;
    const shownDigest = this.#up.get(id)?.shownDigest ?? digestJson(textOf(delivery.request));
    return this.#reply({ delivery, shownDigest }, reply);
  }

  async #reply({ delivery, shownDigest }: Up, reply: ScriptedReply): Promise<AnswerResult> {
    const { decision, reason, editedArguments, by = this.#person } = reply;
    const answer: ChannelAnswer = {
      decision,
      by,
      digest: delivery.request.digest,
      shownDigest,
      ...(reason === undefined ? {} : { reason }),
      ...(editedArguments === undefined ? {} : { editedArguments }),
    };
    const result = await delivery.answer(answer);
    this.#results.push(result);
    return result;
  }
}

/** What a question looks like there: tau's own words first, the arguments behind a mark of their own. */
function textOf(request: ApprovalRequest): string[] {
  return [
    `${escapeText(request.tool)} (tier ${request.tier}) for ${escapeText(principalOf(request.origin).id)}`,
    escapeText(request.effect),
    request.digest,
    ...showJson(request.arguments).map((line) => `| ${line}`),
  ];
}
