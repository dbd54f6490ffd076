import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CliFolder } from '../e2e/cli-fixtures/run-cli.ts';
import { runInput } from './support/hub.ts';
import { ServeCli } from './support/serve-cli.ts';

// Programs start slowly on a machine that is busy.
vi.setConfig({ testTimeout: 120_000 });

const TOKEN = 'a-token-from-the-environment-0123456789';

/** A folder with a tool that writes down its start, takes a quarter of a minute and writes down its end. */
function slowFolder(): CliFolder {
  const folder = new CliFolder();
  folder.write('tau.toml', '[model]\nprovider = "demo"\n[tools]\nmodules = ["./slow.ts"]');
  folder.write(
    'slow.ts',
    `import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { tauTool } from 'strands-tau/strands';
const note = (line: string) => appendFileSync(new URL('bodies.log', import.meta.url), line + '\\n');
export default tauTool({ name: 'slow', description: 'Takes its time.', inputSchema: z.object({}), tier: 1,
  async callback() {
    note('start');
    await new Promise((resolve) => setTimeout(resolve, 15_000));
    note('end');
    return 'done';
  } });`,
  );
  return folder;
}

test('[P22] a body that is late at the stop ends with the process, and only then is the folder free', async () => {
  using folder = slowFolder();
  await using first = new ServeCli(folder, [], { TAU_TOKEN: TOKEN });
  const url = await first.url();
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const body = JSON.stringify(runInput({ messages: [{ id: 'm', role: 'user', content: 'slow' }] }));
  const run = fetch(`${url}/agent`, { method: 'POST', headers, body }).then((response) => response.text());
  run.catch(() => undefined);
  await vi.waitFor(() => expect(folder.read('bodies.log')).toBe('start\n'), { timeout: 60_000 });
  expect(await first.stop()).toBe(0);
  await using second = new ServeCli(folder, [], { TAU_TOKEN: TOKEN });
  await second.url();
  await new Promise((resolve) => setTimeout(resolve, 7_000));
  expect(folder.read('bodies.log')).toBe('start\n');
});

test('[P22] a start that fails half way ends the process and says why', async () => {
  using folder = new CliFolder();
  // Where the address of the hub is to be written, after it listens.
  mkdirSync(join(folder.path, '.tau/hub.json'), { recursive: true, mode: 0o700 });
  await using serve = new ServeCli(folder);
  expect(await serve.ended()).toBe(1);
  expect(serve.err).toContain('hub.json');
  expect(serve.out).toBe('');
});
