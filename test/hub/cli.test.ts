import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { PtyCli } from '../e2e/cli-fixtures/pty-cli.ts';
import { CliFolder, cliEnv } from '../e2e/cli-fixtures/run-cli.ts';
import { type Body, runInput } from './support/hub.ts';
import { ServeCli } from './support/serve-cli.ts';

// Programs start slowly on a machine that is busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const PATIENCE = { timeout: 100_000 };

const TOKEN = 'a-token-from-the-environment-0123456789';

/** A command in this process, through a pipe that is empty. */
async function tau(
  folder: CliFolder,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly out: string; readonly err: string; readonly code: number }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await main(argv, { stdin, stdout, stderr, env: cliEnv(env), cwd: folder.path });
  const read = (stream: PassThrough): string => stream.read()?.toString() ?? '';
  return { out: read(stdout), err: read(stderr), code };
}

async function say(url: string, token: string, content: string, threadId = 't'): Promise<string> {
  const response = await fetch(`${url}/agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(runInput({ threadId, messages: [{ id: 'm', role: 'user', content }] })),
  });
  return response.text();
}

interface Shown {
  readonly approvals: readonly { readonly id: string; readonly digest: string }[];
}

/** The one open question, as the command line lists it. */
async function open(folder: CliFolder): Promise<Shown['approvals'][number]> {
  const { out } = await tau(folder, ['approvals', 'list', '--json']);
  const { approvals }: Shown = JSON.parse(out);
  const [first] = approvals;
  if (first === undefined) throw new Error('there is no open question');
  return first;
}

describe('[P18, P19] tau serve', () => {
  test('prints one link, keeps address and token for its user only, and ends cleanly', async () => {
    using folder = new CliFolder();
    await using serve = new ServeCli(folder);
    const url = await serve.url();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const [, code = ''] = /\/login#([\w-]{43})\n/.exec(serve.out) ?? [];
    for (const name of ['hub.json', 'token', 'key', 'tau.db']) {
      expect([name, statSync(join(folder.path, '.tau', name)).mode & 0o777]).toEqual([name, 0o600]);
    }
    const login = (): Promise<Response> =>
      fetch(`${url}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: url },
        body: JSON.stringify({ code }),
      });
    expect([(await login()).status, (await login()).status]).toEqual([200, 401]);
    const second = await tau(folder, ['serve', '--demo', '--port', '0']);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining('A hub runs for this folder already')]);
    expect(await serve.stop('SIGINT')).toBe(0);
    expect(existsSync(join(folder.path, '.tau/hub.json'))).toBe(false);
    expect(serve.err).toBe('');
    expect(folder.read('.tau/tau.log')).not.toContain(code);
  });

  test('takes the token of the environment, and a tool does not find it there', async () => {
    using folder = new CliFolder();
    folder.write(
      'tools.ts',
      `import { spawnSync } from 'node:child_process';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';
export default tauTool({
  name: 'look',
  description: 'Looks around.',
  inputSchema: z.object({}),
  tier: 0,
  effect: 'Reads the environment.',
  callback: () => JSON.stringify(process.env) + spawnSync('env', { encoding: 'utf8' }).stdout,
});
`,
    );
    folder.write('tau.toml', '[model]\nprovider = "demo"\n[tools]\nmodules = ["./tools.ts"]\n');
    await using serve = new ServeCli(folder, [], { TAU_TOKEN: TOKEN, VISIBLE: 'seen' });
    const url = await serve.url();
    const said = await say(url, TOKEN, 'look');
    expect(said).toContain('seen');
    expect(said).not.toContain(TOKEN);
    const me = await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const { principal }: Body = await me.json();
    expect(principal).toEqual({ id: 'owner', kind: 'person' });
  });

  test('says what is wrong: a taken port, a weak token', async () => {
    using folder = new CliFolder();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = String(typeof address === 'object' && address !== null ? address.port : 0);
    const taken = await tau(folder, ['serve', '--demo', '--port', port]);
    server.close();
    expect([taken.code, taken.err]).toEqual([
      1,
      `tau: Port ${port} of 127.0.0.1 is in use. Give another with --port, or 0 for a free one.\n`,
    ]);
    // A folder belongs to one process for good once it tried to serve it.
    using other = new CliFolder();
    const weak = await tau(other, ['serve', '--demo', '--port', '0'], { TAU_TOKEN: 'short' });
    expect([weak.code, weak.err]).toEqual([2, expect.stringContaining('TAU_TOKEN is no secret')]);
    const typed = await tau(other, ['serve', '--demo', '--port', 'http']);
    expect([typed.code, typed.err]).toEqual([2, expect.stringContaining("--port is 'http'")]);
  });

  test('goes on with what was decided while it was killed', async () => {
    using folder = new CliFolder();
    await using first = new ServeCli(folder);
    const url = await first.url();
    await say(url, folder.read('.tau/token').trim(), 'unlock the front door');
    const { id, digest } = await open(folder);
    await first[Symbol.asyncDispose]();
    expect((await tau(folder, ['approvals', 'list'])).err).toContain('does not answer');
    await using second = new ServeCli(folder);
    await second.url();
    expect((await open(folder)).id).toBe(id);
    expect((await tau(folder, ['approvals', 'approve', id, '--digest', digest])).code).toBe(0);
    await expect.poll(() => folder.ran(), { timeout: 10_000 }).toEqual(['unlock_door {"door":"front"}']);
  });
});

describe('with a running hub', () => {
  let folder: CliFolder;
  let serve: ServeCli;
  let url = '';
  let token = '';
  beforeAll(async () => {
    folder = new CliFolder();
    serve = new ServeCli(folder);
    url = await serve.url();
    token = folder.read('.tau/token').trim();
  });
  afterAll(async () => {
    await serve[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('[P17] tau approvals needs what was shown, tells who won, and has an exit code for each end', async () => {
    await say(url, token, 'unlock the front door', 'one');
    const { id, digest } = await open(folder);
    const run = (...argv: string[]): ReturnType<typeof tau> => tau(folder, ['approvals', ...argv]);
    const shown = await run('show', id);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining(digest)]);
    expect((await run('approve', id)).code).toBe(2);
    expect((await run('approve', id, '--digest', 'a'.repeat(64))).code).toBe(4);
    expect((await run('approve', 'nothing', '--digest', digest)).code).toBe(1);
    expect((await run('approve', id, '--digest', digest, '--edit', '{door}')).code).toBe(2);
    expect((await run('aprove', id)).err).toContain("Did you mean 'approve'?");
    expect(folder.ran()).toEqual([]);
    const edited = await run('approve', id, '--digest', digest, '--edit', '{"door":"back"}', '--json');
    // What the tool says it does depends on the door, so the edit has to be looked at.
    const again: Body = JSON.parse(edited.out);
    expect([edited.code, again.result, folder.ran()]).toEqual([4, 'asked_again', []]);
    const yes = await run('approve', again.approval.id, '--digest', again.approval.digest, '--json');
    expect([yes.code, JSON.parse(yes.out).result]).toEqual([0, 'decided']);
    await expect.poll(() => folder.ran(), PATIENCE).toEqual(['unlock_door {"door":"back"}']);
    const late = await run('reject', id, '--json');
    expect([late.code, JSON.parse(late.out).error]).toEqual([3, 'already_decided']);
    const all = async (): Promise<readonly string[]> =>
      JSON.parse((await run('list', '--status', 'all', '--json')).out).approvals.map(
        ({ status }: { readonly status: string }) => status,
      );
    await expect.poll(all, PATIENCE).toEqual(['done', 'void']);
    expect((await run('list')).out).toBe('None.\n');
  });

  test('[P17] at a terminal it shows the question and takes only a yes to it', async () => {
    await say(url, token, 'lock the front door', 'two');
    const { id } = await open(folder);
    using no = new PtyCli(folder, ['approvals', 'approve', id]);
    await no.sees('Approve? [y/N]');
    no.type('n\r');
    expect(await no.ended()).toBe(1);
    expect((await open(folder)).id).toBe(id);
    using yes = new PtyCli(folder, ['approvals', 'approve', id]);
    await yes.sees('Approve? [y/N]');
    yes.type('y\r');
    expect(await yes.ended()).toBe(0);
    await expect.poll(() => folder.ran(), PATIENCE).toContain('lock_door {"door":"front"}');
  });

  test('[P7, P17] at a terminal a yes that comes too late is told so, and by whom', async () => {
    await say(url, token, 'lock the front door', 'late');
    const { id, digest } = await open(folder);
    using late = new PtyCli(folder, ['approvals', 'approve', id]);
    await late.sees('Approve? [y/N]');
    expect((await tau(folder, ['approvals', 'reject', id, '--digest', digest])).out).toMatch(/^Rejected\.\n/);
    late.type('y\r');
    await late.sees('Your answer did not count. It was decided before: rejected by owner (');
    expect(await late.ended()).toBe(3);
    expect(late.text).not.toContain('Approved.');
  });

  test('[P17] at a terminal an edit is shown beside the question, and only a yes to the edit sends it', async () => {
    await say(url, token, 'lock the front door', 'four');
    const { id } = await open(folder);
    const argv = ['approvals', 'approve', id, '--edit', '{"door":"back\u202e"}'];
    using no = new PtyCli(folder, argv);
    await no.sees('"front"');
    await no.sees('"back\\u202e"');
    await no.sees('Said before the edit: Locks the front door');
    await no.sees('Approve? [y/N]');
    no.type('n\r');
    expect(await no.ended()).toBe(1);
    expect((await open(folder)).id).toBe(id);
    using yes = new PtyCli(folder, ['approvals', 'approve', id, '--edit', '{"door":"back"}']);
    await yes.sees('"back"');
    await yes.sees('Approve? [y/N]');
    yes.type('y\r');
    // What the tool says it does depends on the door, so the edit is a question of its own.
    expect(await yes.ended()).toBe(4);
    const edit = await open(folder);
    expect(edit.id).not.toBe(id);
    expect((await tau(folder, ['approvals', 'reject', edit.id, '--digest', edit.digest])).code).toBe(0);
  });

  test('[P17, P9] it shows what a model wrote escaped', async () => {
    await say(url, token, 'run `echo \u001b[2J\u202e`', 'three');
    const { id, digest } = await open(folder);
    for (const argv of [['list'], ['show', id]]) {
      const { out } = await tau(folder, ['approvals', ...argv]);
      expect(out).toContain('run_shell');
      expect(out).not.toContain('\u001b');
      expect(out).not.toContain('\u202e');
      const json = (await tau(folder, ['approvals', ...argv, '--json'])).out;
      expect(json).toContain('\\u202e');
      expect(json).not.toContain('\u202e');
    }
    expect((await tau(folder, ['approvals', 'reject', id, '--digest', digest, '--reason', 'no'])).code).toBe(0);
  });

  test('[P19] tau token makes, lists and revokes tokens; tau login-link opens the page', async () => {
    const status = async (secret: string): Promise<number> =>
      (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${secret}` } })).status;
    const made = await tau(folder, ['token', 'create', '--scopes', 'run']);
    const secret = made.out.trim();
    expect([made.code, await status(secret)]).toEqual([0, 200]);
    const { tokens } = JSON.parse((await tau(folder, ['token', 'list', '--json'])).out);
    expect(JSON.stringify(tokens)).not.toContain(secret);
    const { id } = tokens.find(({ scopes }: { readonly scopes: readonly string[] }) => scopes.length === 1);
    expect((await tau(folder, ['token', 'revoke', id])).code).toBe(0);
    expect([await status(secret), (await tau(folder, ['token', 'revoke', id])).code]).toEqual([401, 1]);
    expect((await tau(folder, ['token', 'create', '--principal', 'eve'])).code).toBe(2);
    expect((await tau(folder, ['token', 'create', '--scopes', 'all'])).code).toBe(2);
    const link = await tau(folder, ['login-link']);
    expect(link.out).toMatch(new RegExp(`^${url}/login#[\\w-]{43}\\n$`));
    const headers = { origin: url, 'content-type': 'application/json' };
    const body = JSON.stringify({ code: new URL(link.out.trim()).hash.slice(1) });
    const entered = await fetch(`${url}/login`, { method: 'POST', headers, body });
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = async (): Promise<number> => (await fetch(`${url}/api/me`, { headers: { cookie } })).status;
    expect(await page()).toBe(200);
    expect((await tau(folder, ['logout'])).out).toMatch(/^Page sessions of 'owner' ended: [1-9]/);
    expect(await page()).toBe(401);
  });
});

test('[P19] what is in the memory of the hub cannot be reached from beside it, and the command says so', async () => {
  using folder = new CliFolder();
  folder.write('tau.toml', '[store]\nkind = "memory"\n');
  const { code, err } = await tau(folder, ['token', 'list']);
  expect([code, err]).toEqual([1, expect.stringContaining('inside the running hub')]);
});

test('[P17] without a hub tau approvals says how to start one', async () => {
  using folder = new CliFolder();
  const { code, err } = await tau(folder, ['approvals', 'list']);
  expect([code, err]).toEqual([1, expect.stringContaining("'tau serve' starts one")]);
});
