import type { Answer, Approver, ApproverContext, Decision } from '../../core/approver.ts';
import { type ApprovalRequest, principalOf } from '../../core/call.ts';
import { checkOptions, type OptionKinds } from '../../core/check-options.ts';
import { LANGUAGES, type Language, type MessageKey, message } from '../../core/i18n.ts';
import { askQuestion } from './ask-question.ts';
import type { QuestionScreen } from './question-screen.ts';
import { TerminalSession, type TerminalStreams } from './terminal-session.ts';

/** How a terminal asks. */
export interface TerminalApproverOptions extends TerminalStreams {
  /** The session that the chat reads through; default: the one that all readers of `input` share. */
  readonly session?: TerminalSession;
  /** Language of the question; default `en`. `y`, `yes`, `e` and `evet` approve in every language. */
  readonly language?: Language;
  /** Whether it says what was answered; `false` where the answer counts only once somebody else has taken it. Default `true`. */
  readonly announces?: boolean;
}

const KINDS: OptionKinds<TerminalApproverOptions> = {
  input: 'object',
  output: 'object',
  session: 'object',
  language: LANGUAGES,
  announces: 'boolean',
};

/**
 * Asks at a terminal, or through a pipe.
 *
 * Shows tool, tier, effect, requester and digest, then the arguments as JSON in an area of their own; nothing in them
 * can act on the screen or look like tau's own lines. A question that is longer than the screen is shown page by page
 * and answered behind the last page. Only the lines `y`, `yes`, `e` and `evet` approve; every other line, end of
 * input, Ctrl-C and a broken screen reject. A question of more than 256,000 characters is not asked but rejected, with
 * a line that says so.
 *
 * What was typed before the question was shown does not answer it; it stays for the chat. Without a terminal, each
 * question takes the next line of the input. A requester whose yes would not count by the policy is not asked. Has no time limit of its own; questions of one session wait for each other.
 */
export class TerminalApprover implements Approver {
  readonly name: string = 'terminal';
  /** Where the chat reads its lines, so that chat and questions do not take them from each other. */
  readonly session: TerminalSession;
  readonly #language: Language;
  readonly #announces: boolean;

  constructor(options: TerminalApproverOptions = {}) {
    checkOptions('TerminalApprover', options, KINDS);
    this.session = options.session ?? TerminalSession.shared(options);
    this.#language = options.language ?? 'en';
    this.#announces = options.announces ?? true;
  }

  /** Asks the requester, who sits here, if their yes would count. Never rejects: whatever goes wrong is a no. */
  async decide(request: ApprovalRequest, context: ApproverContext): Promise<Answer> {
    const { signal, mayDecide } = context;
    if (mayDecide?.(principalOf(request.origin)) === false) return { unreachable: true };
    try {
      const decision = await this.session.question(signal, (screen) => this.#ask(screen, request, signal));
      return decision ?? withdrawn(signal);
    } catch {
      return 'rejected';
    }
  }

  async #ask(screen: QuestionScreen, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
    const answer = await askQuestion(screen, { request, language: this.#language, signal });
    const decision = answer?.decision;
    const isTold = this.#announces || decision !== 'approved';
    if (screen.shown && isTold) screen.print(this.#closingLine(screen, decision, signal));
    return decision ?? withdrawn(signal);
  }

  #closingLine(screen: QuestionScreen, decision: Decision | undefined, signal: AbortSignal): string {
    const key = closingKey(decision, signal);
    return `${screen.style(decision === 'approved' ? 'green' : 'yellow', message(this.#language, key))}\n`;
  }
}

function closingKey(decision: Decision | undefined, signal: AbortSignal): MessageKey {
  if (decision !== undefined) return `approval.${decision}`;
  return withdrawn(signal) === 'timeout' ? 'approval.timeout' : 'approval.cancelled';
}

/** What a question is worth whose signal fired. */
function withdrawn(signal: AbortSignal): Decision {
  const reason: unknown = signal.reason;
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'rejected';
}
