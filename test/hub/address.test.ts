import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { speak } from '../../src/cli/messages.ts';
import { lockFolder } from '../../src/cli/serve/folder-lock.ts';
import { proofOf } from '../../src/hub/auth/proof.ts';
import { CliFolder, cliEnv } from '../e2e/cli-fixtures/run-cli.ts';
import { startHub } from './support/hub.ts';

const TOKEN = 'a-token-from-the-environment-0123456789';
const KEY = 'k'.repeat(43);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Somebody who listens, and keeps what they are sent. */
async function listener(
  answer: (url: string) => object,
): Promise<{ readonly url: string; readonly got: IncomingMessage[] }> {
  const got: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    got.push(request);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, got };
}

function folderWith(hub: object, mode = 0o600): CliFolder {
  const folder = new CliFolder();
  closing.push(() => folder[Symbol.dispose]());
  mkdirSync(join(folder.path, '.tau'), { mode: 0o700 });
  folder.write('.tau/hub.json', JSON.stringify(hub));
  chmodSync(join(folder.path, '.tau/hub.json'), mode);
  return folder;
}

async function tau(
  folder: CliFolder,
  argv: readonly string[],
): Promise<{ readonly text: string; readonly code: number }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await main(argv, { stdin, stdout, stderr, env: cliEnv({ TAU_TOKEN: TOKEN }), cwd: folder.path });
  const [out, err] = [stdout, stderr].map((stream) => stream.read()?.toString() ?? '');
  return { text: `${out}${err}`, code };
}

const sent = (got: readonly IncomingMessage[]): string => JSON.stringify(got.map(({ url, headers }) => [url, headers]));

describe('[P19] a command that speaks to the hub', () => {
  it('sends nothing to whoever listens where a hub that is gone used to', async () => {
    for (const answer of [
      () => ({}),
      () => ({ proof: '0'.repeat(64) }),
      (url: string) => ({ proof: proofOf('guess', url) }),
    ]) {
      const { url, got } = await listener(answer);
      const folder = folderWith({ url, pid: 1, key: KEY });
      for (const argv of [['approvals', 'list'], ['login-link']]) {
        const { text, code } = await tau(folder, argv);
        expect([code, text]).toEqual([1, expect.stringContaining('is not the hub of this folder')]);
      }
      expect(sent(got)).toContain('/proof?nonce=');
      expect(sent(got)).not.toContain(TOKEN);
    }
  });

  it('believes no address that somebody else can have written', async () => {
    const { url, got } = await listener((path) => ({ proof: proofOf(KEY, path.split('=')[1] ?? '') }));
    for (const mode of [0o644, 0o620, 0o606]) {
      const { text, code } = await tau(folderWith({ url, pid: 1, key: KEY }, mode), ['approvals', 'list']);
      expect([mode, code, text]).toEqual([mode, 1, expect.stringContaining('No hub runs')]);
    }
    expect(got).toEqual([]);
  });

  it('goes to addresses of this machine only, even for one that could prove itself', async () => {
    for (const url of ['http://192.0.2.1:1', 'https://tau.invalid', 'http://127.0.0.1.tau.invalid:1']) {
      const { text, code } = await tau(folderWith({ url, pid: 1, key: KEY }), ['approvals', 'list']);
      expect([code, text]).toEqual([1, expect.stringContaining('no address of this machine')]);
    }
  });

  it('is answered by the hub that has the key', async () => {
    const hub = await startHub([]);
    hub.hub.tokens.accept(TOKEN, { principal: 'ada', scopes: ['run', 'decide'] });
    const at = { url: hub.url, pid: 1, key: hub.hub.proofKey };
    expect(await tau(folderWith(at), ['approvals', 'list'])).toMatchObject({ code: 0 });
    expect(await tau(folderWith({ ...at, key: KEY }), ['approvals', 'list'])).toMatchObject({ code: 1 });
    const asked = await hub.send(`/proof?nonce=${'a'.repeat(64)}`);
    expect(asked.body).toEqual({ proof: proofOf(hub.hub.proofKey, 'a'.repeat(64)) });
    for (const nonce of ['', 'x', 'A'.repeat(64), 'a'.repeat(65)]) {
      expect((await hub.send(`/proof?nonce=${nonce}`)).status).toBe(400);
    }
  });
});

describe('[P22] a data folder', () => {
  it('belongs to one hub for as long as its process lives', () => {
    using folder = new CliFolder();
    const place = { dataDir: folder.path, say: speak('en') };
    lockFolder(place);
    expect(() => lockFolder(place)).toThrow('A hub that is starting or stopping has');
  });

  it('is free again when the process of its hub was killed', async () => {
    using folder = new CliFolder();
    const script = `
      import { lockFolder } from ${JSON.stringify(new URL('../../src/cli/serve/folder-lock.ts', import.meta.url).href)};
      lockFolder({ dataDir: ${JSON.stringify(folder.path)}, say: (key) => key });
      console.log('locked');
      setInterval(() => undefined, 1000);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closing.push(() => child.kill('SIGKILL'));
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const place = { dataDir: folder.path, say: speak('en') };
    expect(() => lockFolder(place)).toThrow('A hub that is starting or stopping has');
    child.kill('SIGKILL');
    await ended;
    lockFolder(place);
    expect(existsSync(join(folder.path, 'hub.lock'))).toBe(true);
  });
});
