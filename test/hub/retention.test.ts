import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { DONE, unlock, until } from '../support/strands.ts';
import { type State, startHub } from './support/hub.ts';

/** Makes everything in a file as old as the hills. */
function age(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`UPDATE snapshots SET saved_at = 1;
    UPDATE documents SET document = json_set(document, '$.value.updatedAt', 1) WHERE kind = 'thread'`);
  database.close();
}

async function prune(folder: string): Promise<unknown> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const argv = ['prune', '--older-than', '30d', '--sessions', '--data', folder, '--json'];
  expect(await main(argv, { stdin, stdout, stderr, env: {}, cwd: folder })).toBe(0);
  return JSON.parse(String(stdout.read()));
}

it('[P2, P5, P20] a prune takes old conversations away as a whole, but none that waits for an answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tau-retention-'));
  const file = join(folder, 'tau.db');
  const stateOf = (store: SqliteStore): State => ({
    store,
    values: store.values,
    audit: store.audit,
    sessions: { snapshot: store.sessions },
  });
  const before = SqliteStore.open(file);
  const first = await startHub([DONE, [{ text: 'I will open it.' }, unlock('front', 'c1')]], {
    state: stateOf(before),
  });
  const early = await first.token();
  await first.run(early, { threadId: 'over' });
  await first.run(early, { threadId: 'waits' });
  await first.hub.stop();
  await before.end();
  age(file);
  expect(await prune(folder)).toMatchObject({ approvals: 0, sessions: 1, conversations: 1 });

  const after = SqliteStore.open(file);
  const second = await startHub([DONE], { state: stateOf(after) });
  const ada = await second.token();
  const { body: list } = await second.send('/api/threads', { token: ada });
  expect(list.threads.map(({ threadId }: { threadId: string }) => threadId)).toEqual(['waits']);
  const { id, digest } = await second.question(ada);
  await second.send(`/api/approvals/${id}/decision`, { token: ada, body: { decision: 'approved', digest } });
  await until(() => second.model.calls.length === 1);
  expect(second.started()).toEqual(['unlock_door {"door":"front"}']);
  expect(JSON.stringify(second.model.calls[0]?.messages)).toContain('I will open it.');
  await second.hub.stop();
  await after.end();
  rmSync(folder, { recursive: true });
});
