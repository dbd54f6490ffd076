import { auditRows } from '../../core/audit-chain.ts';
import type { AuditLog, AuditRow } from '../../core/audit-log.ts';
import type { CommandContext } from '../command.ts';
import { jsonLine } from '../json-text.ts';
import { print } from '../store/print.ts';
import { rowText } from './row-text.ts';

/** How many rows are shown at first. */
const SHOWN = 20;

/** `tau audit tail`: the last rows, and with `--follow` every new one until Ctrl-C. */
export async function showTail(context: CommandContext, audit: AuditLog): Promise<number> {
  const { options } = context;
  const interrupted = options.follow ? onInterrupt() : undefined;
  const rows = new Follower(context, audit, (await audit.head()).seq - SHOWN);
  await rows.show();
  if (interrupted === undefined) return 0;
  // A look that fails is told by the next one, or the one after: whoever follows waits for rows, not for this one.
  const unwatch = audit.watch(() => void rows.show().catch(() => undefined));
  // What came between the first look and the watch.
  await rows.show();
  await interrupted;
  unwatch();
  return 130;
}

/** Shows each row once, however often it is told that there are new ones. */
class Follower {
  readonly #context: CommandContext;
  readonly #audit: AuditLog;
  #seen: number;
  #showing: Promise<void> = Promise.resolve();

  constructor(context: CommandContext, audit: AuditLog, seen: number) {
    this.#context = context;
    this.#audit = audit;
    this.#seen = Math.max(seen, 0);
  }

  show(): Promise<void> {
    this.#showing = this.#showing.catch(() => undefined).then(() => this.#showNew());
    return this.#showing;
  }

  async #showNew(): Promise<void> {
    for await (const row of auditRows(this.#audit, this.#seen)) {
      this.#seen = row.seq;
      await print(this.#context.io.stdout, `${this.#textOf(row)}\n`);
    }
  }

  #textOf(row: AuditRow): string {
    return this.#context.options.json ? jsonLine(row) : rowText(row);
  }
}

/** Resolves at Ctrl-C; keeps the process alive until then. */
function onInterrupt(): Promise<void> {
  const alive = setInterval(() => undefined, 2 ** 30);
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      clearInterval(alive);
      resolve();
    });
  });
}
