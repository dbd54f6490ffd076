import { auditable } from '../core/audit-event.ts';
import type { AuditLog } from '../core/audit-log.ts';
import { auditRedactor } from '../core/audit-redact.ts';
import { errorText } from '../core/errors.ts';
import type { AgentEvent } from '../core/events.ts';
import { offerAgain } from '../core/offer-again.ts';
import type { Clock, Logger } from '../core/platform.ts';

/** How an audit log is written. */
export interface AuditWriterOptions {
  /** Whether decisions are added too; a store that chains its own steps has them already. */
  readonly decisions: boolean;
  /**
   * Paths of secrets in arguments. They are hidden as `auditRedactor` does, in the other texts of an event too, under a key
   * of this process. A log may hide more: nothing that it would look for stays behind in a text.
   */
  readonly redact: readonly string[];
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Logger;
}

/** Events that are kept while the log takes none. */
const MAX_KEPT = 10_000;

type Entry = Parameters<AuditLog['append']>;

/** Adds what the gate tells to the audit log. What the log cannot take is kept and offered again. */
export class AuditWriter {
  readonly #audit: AuditLog;
  readonly #options: AuditWriterOptions;
  readonly #hide: ReturnType<typeof auditRedactor>;
  readonly #kept: Entry[] = [];
  #cancel: (() => void) | undefined;
  #offering: Promise<boolean> | undefined;

  constructor(audit: AuditLog, options: AuditWriterOptions) {
    this.#audit = audit;
    this.#options = options;
    this.#hide = auditRedactor({ paths: options.redact, key: crypto.getRandomValues(new Uint8Array(32)) });
  }

  /** The event sink. Rows come after those that are kept: the log keeps the order in which things happened. */
  readonly sink = async (event: AgentEvent): Promise<void> => {
    if (event.type === 'approval' && !this.#options.decisions) return;
    const entry: Entry = [this.#hide(auditable({ ...withoutErrorText(event) })), event.at];
    if (this.#kept.length > 0) return this.#add(entry);
    try {
      await this.#audit.append(...entry);
    } catch (error) {
      this.#keep(entry, error);
    }
  };

  /** Offers what is kept once more; at a stop, before the log is closed. */
  async flush(): Promise<void> {
    if (await this.#offer()) return;
    this.#cancel?.();
    this.#options.log.error('Rows of the audit log are lost', { count: this.#kept.length });
  }

  #keep(entry: Entry, error: unknown): void {
    const { log } = this.#options;
    this.#add(entry);
    log.error('A row of the audit log could not be written; it is tried again', { error: errorText(error) });
    this.#cancel ??= offerAgain(this.#options.clock, () => this.#offer());
  }

  #add(entry: Entry): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(entry);
    else this.#options.log.error('A row of the audit log is lost: too many wait for it', { at: entry[1] });
  }

  /** Whether everything was taken. Two that offer at the same time share one attempt, so that no row is written twice. */
  #offer(): Promise<boolean> {
    this.#offering ??= this.#offerAll().finally(() => {
      this.#offering = undefined;
    });
    return this.#offering;
  }

  async #offerAll(): Promise<boolean> {
    for (let entry = this.#kept[0]; entry !== undefined; entry = this.#kept[0]) {
      try {
        await this.#audit.append(...entry);
      } catch {
        return false;
      }
      this.#kept.shift();
    }
    this.#cancel?.();
    this.#cancel = undefined;
    return true;
  }
}

/** What was thrown inside is for the log: people read the audit over HTTP. */
function withoutErrorText(event: AgentEvent): AgentEvent {
  if (event.type !== 'error') return event;
  const { error: _forTheLog, ...told } = event;
  return told;
}
