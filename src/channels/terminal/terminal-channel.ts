import type { ApprovalRecord } from '../../core/approval-record.ts';
import type { Principal } from '../../core/call.ts';
import type { Channel, Delivery, Shown } from '../../core/channel.ts';
import { checkOptions, type OptionKinds } from '../../core/check-options.ts';
import { digestJson } from '../../core/digest.ts';
import { TauError } from '../../core/errors.ts';
import { escapeText } from '../../core/escape.ts';
import { LANGUAGES, type Language, message } from '../../core/i18n.ts';
import { wasEdited } from '../../core/replacement.ts';
import { askQuestion, type TypedAnswer } from './ask-question.ts';
import type { QuestionScreen } from './question-screen.ts';
import { TerminalSession, type TerminalStreams } from './terminal-session.ts';
import { rowsWithinLimit } from './too-long.ts';

/** How a terminal takes part in an inbox. */
export interface TerminalChannelOptions extends TerminalStreams {
  /** Who sits at the terminal; the policy says whether they may decide. */
  readonly person: Principal;
  /** The session that the chat reads through; default: the one that all readers of `input` share. */
  readonly session?: TerminalSession;
  /** Language of the question; default `en`. */
  readonly language?: Language;
  /** How long the person takes, in seconds; default no limit. */
  readonly timeoutSeconds?: number;
}

const KINDS: OptionKinds<TerminalChannelOptions> = {
  input: 'object',
  output: 'object',
  person: 'object',
  session: 'object',
  language: LANGUAGES,
  timeoutSeconds: 'positive number',
};

/** One question, from its delivery until the terminal has done with it. */
interface Up {
  readonly delivery: Delivery;
  readonly shownDigest: string;
  readonly tooLong: boolean;
  readonly over: AbortController;
  final: ApprovalRecord | undefined;
}

/**
 * A terminal, or a pipe, as one channel of an inbox. Shows and asks as `TerminalApprover` does; what follows a no on its
 * line (`n not today`) is the reason that the model reads. A question that is decided elsewhere while it is asked is taken
 * down with a line that says who decided what, where and when; what was half typed stays for the chat.
 *
 * What is shown is digested as its rows, label and escaped text, however they are broken into lines and pages. A question
 * of more than 256,000 characters is not delivered, so that another channel can show it.
 */
export class TerminalChannel implements Channel {
  readonly name: string = 'terminal';
  readonly timeoutSeconds?: number;
  /** Where the chat reads its lines, so that chat and questions do not take them from each other. */
  readonly session: TerminalSession;
  readonly #person: Principal;
  readonly #language: Language;
  readonly #up = new Map<string, Up>();

  constructor(options: TerminalChannelOptions) {
    checkOptions('TerminalChannel', options, KINDS);
    this.session = options.session ?? TerminalSession.shared(options);
    this.#person = options.person;
    this.#language = options.language ?? 'en';
    if (options.timeoutSeconds !== undefined) this.timeoutSeconds = options.timeoutSeconds;
  }

  reaches({ mayDecide }: Pick<Delivery, 'mayDecide'>): boolean {
    return mayDecide(this.#person);
  }

  /** Shows a question, after those before it. Resolves when its last page is on the screen. */
  deliver(delivery: Delivery): Promise<Shown> {
    const { id } = delivery.request;
    const rows = rowsWithinLimit(delivery.request, this.#language);
    const shownDigest = digestJson((rows ?? []).map((row) => ({ ...row })));
    const tooLong = rows === undefined;
    const up: Up = { delivery, shownDigest, tooLong, over: new AbortController(), final: undefined };
    const { promise, resolve, reject } = Promise.withResolvers<Shown>();
    if (tooLong) reject(new TauError('too_long', 'the question is too long to be read at a terminal'));
    this.#up.set(id, up);
    void this.#converse(up, () => resolve({ shownDigest })).then(() => {
      if (this.#up.get(id) === up) this.#up.delete(id);
      reject(new TauError('not_shown', 'the question was over before all of it was shown'));
    });
    return promise;
  }

  close(record: ApprovalRecord): void {
    const up = this.#up.get(record.id);
    if (up === undefined) return;
    up.final = record;
    up.over.abort();
  }

  /** Owns the terminal until the question is over. Never rejects. */
  async #converse(up: Up, onShown: () => void): Promise<void> {
    const { delivery, over } = up;
    const signal = AbortSignal.any([delivery.signal, over.signal]);
    try {
      await this.session.question(signal, async (screen) => {
        const asking = { request: delivery.request, language: this.#language, signal, onShown };
        const answer = await askQuestion(screen, asking);
        // Nobody has answered what could not be shown.
        if (!screen.shown || up.tooLong) return;
        const end = answer === undefined ? this.#endOf(screen, up.final) : await this.#handOver(screen, up, answer);
        screen.print(`${end}\n`);
      });
    } catch {
      // The terminal is gone: nobody has answered there, and nobody will.
    }
  }

  /** Hands the answer over; says what became of it. */
  async #handOver(screen: QuestionScreen, { delivery, shownDigest }: Up, answer: TypedAnswer): Promise<string> {
    const { digest } = delivery.request;
    try {
      const result = await delivery.answer({ ...answer, by: this.#person, digest, shownDigest });
      if (result.status === 'already_decided') return this.#endOf(screen, result.record);
      if (result.status === 'decided') {
        const text = message(this.#language, `approval.${answer.decision}`);
        return screen.style(answer.decision === 'approved' ? 'green' : 'yellow', text);
      }
    } catch {
      // As if it had not been given: nothing was decided.
    }
    return screen.style('yellow', message(this.#language, 'approval.not_counted'));
  }

  /** How a question ended that was not answered here. */
  #endOf({ style }: QuestionScreen, record: ApprovalRecord | undefined): string {
    return style('yellow', endText(record, this.#language));
  }
}

function endText(record: ApprovalRecord | undefined, language: Language): string {
  if (record !== undefined && wasEdited(record)) return message(language, 'approval.replaced');
  const { decision, status } = record ?? {};
  if (decision === undefined || status === 'cancelled' || status === 'void')
    return message(language, 'approval.cancelled');
  if (decision.decision === 'timeout') return message(language, 'approval.timeout');
  return message(language, `approval.elsewhere.${decision.decision}`, {
    who: escapeText(decision.by.id),
    channel: escapeText(decision.channel),
    time: new Date(decision.at).toLocaleTimeString(language),
  });
}
