import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../main.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-explain-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `tau explain` over the demo house. */
async function explain(
  ...argv: string[]
): Promise<{ readonly out: string; readonly err: string; readonly code: number }> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const code = await main(['explain', ...argv, '--demo'], { stdin, stdout, stderr, env: {}, cwd: folder });
  return { out: stdout.read()?.toString() ?? '', err: stderr.read()?.toString() ?? '', code };
}

const HOUSE = `[policy]
requester_decides = false
[[policy.deciders]]
role = "family"
tools = ["unlock_door"]
[[principals]]
id = "olga"
[[principals]]
id = "bo"
roles = ["family"]
[[principals]]
id = "cem"
roles = ["family"]
scopes = ["run"]
`;

describe('[P7] explain --principal says for whom the call would be, and whose answer would count', () => {
  test('by the policy and by the scopes of the accounts', async () => {
    writeFileSync(join(folder, 'tau.toml'), HOUSE);
    const argv = ['unlock_door', '{"door":"front"}', '--principal', 'olga'];
    const { out } = await explain(...argv);
    expect(out).toMatch(/Requested by +olga\n/);
    expect(out).toMatch(/Who is asked +bo; nobody else of \[\[principals\]\]\n/);
    expect(JSON.parse((await explain(...argv, '--json')).out)).toMatchObject({ principal: 'olga', deciders: ['bo'] });
  });

  test('nobody, where no rule covers the tool', async () => {
    writeFileSync(join(folder, 'tau.toml'), HOUSE);
    expect((await explain('delete_notes', '--principal', 'olga')).out).toMatch(
      /Who is asked +nobody of \[\[principals/,
    );
  });

  test('somebody who is no account is refused with those there are', async () => {
    writeFileSync(join(folder, 'tau.toml'), HOUSE);
    expect(await explain('delete_notes', '--principal', 'eve')).toEqual({
      out: '',
      err: "tau: There is no principal 'eve'. There are: olga, bo, cem.\n",
      code: 2,
    });
  });
});
