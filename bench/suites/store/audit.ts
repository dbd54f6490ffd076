import { verifyLog } from '../../../src/index.ts';
import type { Row } from '../../suite.ts';
import { Disk } from './disk.ts';
import { timed } from './numbers.ts';

const ROWS = 100_000;
const AT_ONCE = 1000;

/** A long chain: appended, then verified from its beginning. */
export async function audit(): Promise<readonly Row[]> {
  const disk = new Disk();
  const event = { type: 'tool_call', tool: 'read_lock', tier: 0, arguments: { door: 'front' }, status: 'success' };
  const appended = await timed(async () => {
    for (let n = 0; n < ROWS; n += AT_ONCE) {
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, k) => disk.store.audit.append({ ...event, n: n + k }, n + k)),
      );
    }
  });
  const verified = await timed(async () => {
    const verdict = await verifyLog(disk.store.audit);
    if (!verdict.ok || verdict.rows !== ROWS) throw new Error('the chain does not verify');
  });
  await disk.remove();
  return [
    [`${ROWS} audit rows appended, ${AT_ONCE} at once`, 's', (appended / 1000).toFixed(1), ''],
    [`${ROWS} audit rows verified`, 's', (verified / 1000).toFixed(1), ''],
  ];
}
