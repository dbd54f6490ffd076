import type { Answer, Approver, ApproverContext } from '../../core/approver.ts';
import type { ApprovalRequest } from '../../core/call.ts';
import type { Screen } from './screen.ts';

/** Clears the screen's line for a question of another approver. Decides nothing itself. */
export class QuietApprover implements Approver {
  readonly name: string;
  readonly timeoutSeconds?: number;
  readonly #asks: Approver;
  readonly #screen: Screen;
  readonly #label: string;

  /** @param label - What the spinner says once the answer is there. */
  constructor(asks: Approver, screen: Screen, label: string) {
    this.name = asks.name;
    if (asks.timeoutSeconds !== undefined) this.timeoutSeconds = asks.timeoutSeconds;
    this.#asks = asks;
    this.#screen = screen;
    this.#label = label;
  }

  async decide(request: ApprovalRequest, context: ApproverContext): Promise<Answer> {
    this.#screen.endLine();
    try {
      return await this.#asks.decide(request, context);
    } finally {
      this.#screen.movedToLineStart();
      if (!context.signal.aborted) this.#screen.spin(this.#label);
    }
  }
}
