import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { CLI, CliFolder } from '../e2e/cli-fixtures/run-cli.ts';
import { runInput } from './support/hub.ts';
import { ServeCli } from './support/serve-cli.ts';

const TOKEN = 'a-token-for-a-closed-terminal';
const PATIENCE = { timeout: 20_000, interval: 20 };
const TERMINAL = fileURLToPath(new URL('support/terminal-process.ts', import.meta.url));

const TOOLS = `
import { appendFileSync } from 'node:fs';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';
const say = (word) => appendFileSync('body.log', word + '\\n');
export default tauTool({
  name: 'unlock_door', description: 'Unlocks a door', tier: 2, effect: 'Unlocks.',
  inputSchema: z.object({ door: z.enum(['front', 'back']) }),
  async callback() {
    say('start');
    await new Promise((resolve) => setTimeout(resolve, 1000));
    console.log('Nobody reads this any more.');
    say('end');
    return 'open';
  },
});`;

/** A hub whose only body is at work. */
async function atWork(folder: CliFolder, program: string): Promise<ServeCli> {
  folder.write('tools.ts', TOOLS);
  folder.write('tau.toml', '[model]\nprovider = "demo"\n[tools]\nmodules = ["./tools.ts"]\n');
  const serve = new ServeCli(folder, [], { TAU_TOKEN: TOKEN }, program);
  const url = await serve.url();
  const send = async (path: string, body?: unknown): Promise<string> => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${url}${path}`, init)).text();
  };
  await send('/agent', runInput({ messages: [{ id: 'm', role: 'user', content: 'unlock the front door' }] }));
  const [{ id, digest }] = JSON.parse(await send('/api/approvals')).approvals;
  await send(`/api/approvals/${id}/decision`, { decision: 'approved', digest });
  await vi.waitFor(() => expect(folder.read('body.log')).toBe('start\n'), PATIENCE);
  return serve;
}

describe('[P22] a hub whose terminal is closed', () => {
  test('lets the body that is at work finish, and takes its note away, with nowhere to write to', async () => {
    using folder = new CliFolder();
    await using terminal = await atWork(folder, TERMINAL);
    await terminal.stop('SIGKILL');
    await vi.waitFor(() => expect(existsSync(join(folder.path, '.tau/hub.json'))).toBe(false), PATIENCE);
    expect(folder.read('body.log')).toBe('start\nend\n');
  }, 60_000);

  test('takes SIGHUP for a stop, however often it comes', async () => {
    using folder = new CliFolder();
    await using serve = await atWork(folder, CLI);
    setTimeout(() => void serve.stop('SIGHUP'), 200);
    expect(await serve.stop('SIGHUP')).toBe(0);
    expect(folder.read('body.log')).toBe('start\nend\n');
    expect(existsSync(join(folder.path, '.tau/hub.json'))).toBe(false);
  }, 60_000);
});
