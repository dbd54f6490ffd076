import { systemClock } from '../../core/platform.ts';
import { ThreadIndex } from '../../hub/threads.ts';
import type { Pruned, SqliteStore } from '../../stores/sqlite/index.ts';
import type { CommandContext } from '../command.ts';
import { jsonText } from '../json-text.ts';
import type { Say } from '../messages.ts';
import { openSetting } from '../setting.ts';
import { openExistingStore } from '../store/open-store.ts';
import { UsageError } from '../usage-error.ts';
import { parseAge } from './age.ts';

/** Runs `tau prune`. */
export async function runPrune(context: CommandContext): Promise<number> {
  const { io, options, say } = context;
  const given = options['older-than'];
  if (given === undefined) throw new UsageError(say('prune.no_age'));
  const age = parseAge('--older-than', given, say);
  const keepAudit = options['keep-audit'];
  const auditAge = keepAudit === undefined ? age : parseAge('--keep-audit', keepAudit, say);
  const setting = openSetting(context);
  await using store = openExistingStore(setting);
  const at = Date.now();
  const pruned = await store.prune({
    at,
    approvalsBefore: at - age,
    auditBefore: at - auditAge,
    ...(options.sessions ? { sessionsBefore: at - age } : {}),
  });
  const conversations = options.sessions ? await forgetConversations(store, at - age) : 0;
  const removed = { ...pruned, conversations };
  io.stdout.write(options.json ? `${jsonText(removed)}\n` : `${describe(removed, setting.say)}\n`);
  return 0;
}

/** A conversation without its session would be an empty one in the list of the page. */
function forgetConversations(store: SqliteStore, before: number): Promise<number> {
  return new ThreadIndex(store.values, systemClock).forget(
    before,
    async (key) => (await store.parked(key)) !== undefined,
  );
}

interface Removed extends Pruned {
  readonly conversations: number;
}

function describe({ approvals, auditRows, sessions, conversations, documents }: Removed, say: Say): string {
  return say('prune.done', { approvals, auditRows, sessions, conversations, documents });
}
