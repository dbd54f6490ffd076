import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { CliFolder, cliEnv } from '../e2e/cli-fixtures/run-cli.ts';
import { startHub } from './support/hub.ts';

// Programs answer slowly on a machine that is busy.
vi.setConfig({ testTimeout: 60_000 });

const UNLOCK = [{ toolUse: { name: 'unlock_door', input: { door: 'front' } } }];

interface Run {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** `tau approvals` in this process, in an empty folder, through a pipe that is empty. */
async function approvals(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Run> {
  using folder = new CliFolder();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await main(['approvals', ...argv], { stdin, stdout, stderr, env: cliEnv(env), cwd: folder.path });
  const read = (stream: PassThrough): string => stream.read()?.toString() ?? '';
  return { out: read(stdout), err: read(stderr), code };
}

describe('[P17, P19] tau approvals --url speaks to the hub of a program', () => {
  test('lists, shows, rejects and approves its questions with the token of TAU_TOKEN', async () => {
    const running = await startHub([UNLOCK, [{ text: 'No.' }], UNLOCK, [{ text: 'Done.' }]]);
    const token = await running.token('ada');
    const tau = (...argv: string[]): Promise<Run> => approvals([...argv, '--url', running.url], { TAU_TOKEN: token });
    await running.run(token, { threadId: 'one' });
    const first = await running.question(token);
    expect(await tau('list')).toMatchObject({ code: 0, out: expect.stringContaining(first.id) });
    expect(await tau('show', first.id)).toMatchObject({ code: 0, out: expect.stringContaining(first.digest) });
    expect(await tau('reject', first.id, '--reason', 'not at night')).toMatchObject({ code: 0 });
    await running.run(token, { threadId: 'two' });
    const { id, digest } = await running.question(token);
    expect(running.started()).toEqual([]);
    expect(await tau('approve', id, '--digest', digest)).toMatchObject({ code: 0, err: '' });
    await expect.poll(() => running.started()).toEqual(['unlock_door {"door":"front"}']);
    const { decision } = (await running.send(`/api/approvals/${id}`, { token })).body.approval;
    expect(decision).toMatchObject({ decision: 'approved', by: { id: 'ada' }, channel: 'cli' });
  });

  test('what is typed wrong is said about what was typed: a short digest, a part of an id, an edit that does not fit', async () => {
    const running = await startHub([UNLOCK]);
    const token = await running.token('ada');
    const tau = (...argv: string[]): Promise<Run> => approvals([...argv, '--url', running.url], { TAU_TOKEN: token });
    await running.run(token);
    const { id, digest } = await running.question(token);
    const short = digest.slice(0, 16);
    for (const action of ['approve', 'reject']) {
      expect(await tau(action, id, '--digest', short)).toEqual({
        code: 2,
        out: '',
        err: `tau: --digest is '${short}'; give all 64 hexadecimal digits, as 'tau approvals show ID' prints them behind Digest.\n`,
      });
    }
    expect(await tau('show', id.slice(0, 8))).toEqual({
      code: 1,
      out: '',
      err: `tau: There is no question with the id '${id.slice(0, 8)}' that this token may see. Give the whole id, as 'tau approvals list' prints it.\n`,
    });
    const unfit = await tau('approve', id, '--digest', digest, '--edit', '{"door":7}');
    expect(unfit).toMatchObject({
      code: 1,
      err: expect.stringContaining('The edit does not fit the tool unlock_door: '),
    });
    expect(unfit.err).toContain('Nothing was decided; correct --edit.');
    expect(unfit.err).not.toContain('correct the input');
    expect((await running.question(token)).id).toBe(id);
  });

  test('without a token, with one that it does not know, and at a place that is no hub, it says so', async () => {
    const { url } = await startHub([]);
    expect(await approvals(['list', '--url', url])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no token for ${url}: set TAU_TOKEN`),
    });
    expect(await approvals(['list', '--url', url], { TAU_TOKEN: 'a-token-of-another-hub-0123456789' })).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The hub at ${url} does not know the token.`),
    });
    const seen: (string | undefined)[] = [];
    const stranger = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{"proof":"none"}');
    });
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
    const address = stranger.address();
    const elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect(await approvals(['list', '--url', elsewhere], { TAU_TOKEN: 'secret' })).toMatchObject({
      code: 1,
      err: `tau: What answers at ${elsewhere} is no tau hub; it was sent no token.\n`,
    });
    await new Promise((resolve) => stranger.close(resolve));
    expect(seen).toEqual([undefined]);
    expect(await approvals(['list', '--url', elsewhere], { TAU_TOKEN: 'secret' })).toMatchObject({
      code: 1,
      err: `tau: Nothing answers at ${elsewhere}. Is the hub running, and is that where it listens?\n`,
    });
  });

  test.each([
    ['http://tau.example.com', '--url is plain HTTP to tau.example.com'],
    ['http://127.0.0.1.example.com:8000', '--url is plain HTTP to 127.0.0.1.example.com'],
    ['https://ada:pass@tau.example.com', '--url holds a user name or a password, which is not repeated here'],
    ['https://tau.example.com/hub', '--url needs the address of a hub without a path'],
    ['ftp://127.0.0.1', '--url needs the address of a hub without a path'],
    ['127.0.0.1:8000', '--url needs the address of a hub without a path'],
  ])('%s is refused before anything is sent', async (url, problem) => {
    const { code, err } = await approvals(['list', '--url', url], { TAU_TOKEN: 'secret' });
    expect([code, err]).toEqual([2, expect.stringContaining(problem)]);
    expect(err).not.toContain('pass@');
  });

  test('an address and a folder together are refused', async () => {
    const { code, err } = await approvals(['list', '--url', 'http://127.0.0.1:8000', '--data', '.tau']);
    expect([code, err]).toEqual([2, expect.stringContaining('Give either --url or --data')]);
  });
});
