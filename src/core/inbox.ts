import type { ApprovalRecord } from './approval-record.ts';
import type { Answer } from './approver.ts';
import type { ApprovalRequest } from './call.ts';
import type { Channel } from './channel.ts';
import { checkOptions } from './check-options.ts';
import type { Desk, DeskApprover } from './desk.ts';
import { ConfigError, TauError } from './errors.ts';
import { InboxQuestion } from './inbox-question.ts';
import { replacementOf, wasEdited } from './replacement.ts';

/** What an inbox is made of. */
export interface InboxOptions {
  /** Where people are reached; at least one, each with a name of its own. */
  readonly channels: readonly Channel[];
  /**
   * `true` (default): the call waits inside this process for the answer. `false`: the run parks, and the answer may come
   * after a restart; call `redeliver` when the process starts.
   */
  readonly waits?: boolean;
  /** Name for records and logs; default `inbox`. */
  readonly name?: string;
}

/**
 * One question on every channel that reaches somebody who may decide it. The first valid answer wins, wherever it comes
 * from; then the question is taken down everywhere.
 *
 * A channel that fails is noted in the record and stops nobody. When no channel reaches anybody, or none could deliver,
 * the call is refused at once, with the reason `no_approver`. The inbox itself answers nothing: what counts is what the
 * gate has put on record.
 *
 * A question waits as long as the gate says, else as long as the slowest channel; without a limit when a channel has none.
 *
 * @example
 * ```ts
 * const inbox = new Inbox({ channels: [new TerminalChannel({ person }), new MyChannel()] });
 * const agent = await buildAgent({ model, tools, approver: inbox });
 * ```
 */
export class Inbox implements DeskApprover {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly #channels: readonly Channel[];
  readonly #waits: boolean;
  readonly #open = new Map<string, InboxQuestion>();
  #desk: Desk | undefined;
  #unwatch: (() => void) | undefined;

  /** @throws ConfigError without channels, when two have the same name, and on an option that does not exist. */
  constructor(options: InboxOptions) {
    checkOptions('Inbox', options, { channels: 'list', waits: 'boolean', name: 'string' });
    this.name = options.name ?? 'inbox';
    this.#channels = [...options.channels];
    this.#waits = options.waits ?? true;
    const names = this.#channels.map(({ name }) => name);
    if (names.length === 0) throw new ConfigError('An inbox needs at least one channel, or nobody could ever be asked');
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new ConfigError(`Two channels are named '${twice}'; records could not tell them apart`);
    const longest = longestOf(this.#channels);
    if (longest !== undefined) this.timeoutSeconds = longest;
  }

  /** Ids of the questions that are up now. */
  get open(): readonly string[] {
    return [...this.#open.keys()];
  }

  attach(desk: Desk): void {
    if (this.#desk !== undefined)
      throw new ConfigError('An inbox serves one gate; make another inbox for another gate');
    this.#desk = desk;
  }

  /** Asks. What it answers is only where to look, or that nobody could be asked. */
  async decide(request: ApprovalRequest, { signal }: { readonly signal: AbortSignal }): Promise<Answer> {
    const desk = this.#atDesk();
    const record = await desk.store.get(request.id);
    if (record?.id !== request.id) throw new TauError('store', 'the question is not in the store');
    const question = this.#deliver(desk, record, request);
    if (this.#waits) abandonOnAbort(question, signal);
    const reached = await Promise.race([question.reached, question.ended.then(() => true)]);
    if (!reached) return { unreachable: true };
    if (this.#waits) await question.ended;
    return { parked: true };
  }

  /**
   * Delivers the questions that are still open in the store and not up here: after a restart of a process whose runs
   * park. One that reaches nobody now stays open, and is told of.
   *
   * @returns Ids of the questions that were handed to the channels; the channels may still be showing them.
   */
  async redeliver(): Promise<readonly string[]> {
    const desk = this.#atDesk();
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await desk.store.list({ status: 'pending', ...(cursor === undefined ? {} : { cursor }) });
      for (const record of page.records) {
        if (!this.#isMissing(desk, record)) continue;
        ids.push(record.id);
        this.#deliverLater(desk, record);
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return ids;
  }

  #isMissing(desk: Desk, { id, kind, status, expiresAt }: ApprovalRecord): boolean {
    const live = expiresAt === undefined || expiresAt > desk.clock.now();
    return kind === 'question' && status === 'pending' && live && !this.#open.has(id);
  }

  #atDesk(): Desk {
    if (this.#desk !== undefined) return this.#desk;
    throw new TauError('not_attached', 'the inbox belongs to no gate; hand it to the gate (or buildAgent) as it is');
  }

  /** Delivers a question for which no call waits here. */
  #deliverLater(desk: Desk, record: ApprovalRecord): void {
    const question = this.#deliver(desk, record, record.request);
    void question.reached.then((reached) => {
      if (!reached && this.#open.has(question.id))
        desk.report('an open question could be delivered to nobody; it stays in the store', record.request);
    });
  }

  #deliver(desk: Desk, record: ApprovalRecord, request: ApprovalRequest): InboxQuestion {
    const known = this.#open.get(record.id);
    if (known !== undefined) return known;
    this.#unwatch ??= desk.store.watch((id) => void this.#open.get(id)?.refresh());
    const question = new InboxQuestion(desk, record, request, this.#channels);
    this.#open.set(record.id, question);
    void question.ended.then((final) => this.#ended(desk, final));
    // It may have been decided before anybody listened.
    void question.refresh();
    return question;
  }

  #ended(desk: Desk, final: ApprovalRecord): void {
    this.#open.delete(final.id);
    // A waiting call follows an edit itself.
    if (!this.#waits && wasEdited(final)) void this.#followEdit(desk, final);
    if (this.#open.size > 0) return;
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  async #followEdit(desk: Desk, edited: ApprovalRecord): Promise<void> {
    try {
      const edit = await replacementOf(desk.store, edited);
      if (edit !== undefined && this.#isMissing(desk, edit)) this.#deliverLater(desk, edit);
    } catch (error) {
      desk.report('an edited question could not be asked', edited.request, error);
    }
  }
}

function abandonOnAbort(question: InboxQuestion, signal: AbortSignal): void {
  const onAbort = (): void => question.abandon();
  if (signal.aborted) return onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  void question.ended.then(() => signal.removeEventListener('abort', onAbort));
}

function longestOf(channels: readonly Channel[]): number | undefined {
  let longest = 0;
  for (const { timeoutSeconds } of channels) {
    if (timeoutSeconds === undefined) return undefined;
    if (!(timeoutSeconds > 0))
      throw new ConfigError(`timeoutSeconds of a channel is ${timeoutSeconds}; give a positive number`);
    longest = Math.max(longest, timeoutSeconds);
  }
  return longest;
}
