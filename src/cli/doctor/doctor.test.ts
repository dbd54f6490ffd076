import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../main.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What `tau doctor` says of the policy of a configuration, over the demo house. */
async function doctor(
  config: string,
): Promise<{ readonly status: string; readonly text: string; readonly end: string }> {
  writeFileSync(join(folder, 'tau.toml'), config);
  const run = async (...argv: string[]): Promise<string> => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    stdin.end();
    expect(await main(['doctor', '--demo', ...argv], { stdin, stdout, stderr, env: {}, cwd: folder })).toBe(0);
    return stdout.read()?.toString() ?? '';
  };
  const { checks } = JSON.parse(await run('--json'));
  const found = checks.find(({ check }: { readonly check: string }) => check === 'policy');
  return { status: found.status, text: found.text, end: (await run()).trimEnd().split('\n').at(-1) ?? '' };
}

const ADA = '[[principals]]\nid = "ada"\nkind = "person"\n';
const WELL = { status: 'ok', text: 'somebody may answer for each tool that asks', end: 'All is well.' };

describe('[P7] doctor looks whether somebody could answer', () => {
  test.each([
    ['', WELL],
    [`[policy]\nrequester_decides = false\n[[policy.deciders]]\nprincipal = "ada"\n${ADA}`, WELL],
    [`[policy]\nrequester_decides = false\n[[policy.deciders]]\nrole = "family"\n${ADA}roles = ["family"]\n`, WELL],
  ])('%j is well', async (config, expected) => {
    expect(await doctor(config)).toEqual(expected);
  });

  test('a role that nobody has leaves every tool without an answer', async () => {
    const { status, text, end } = await doctor(
      `[policy]\nrequester_decides = false\n[[policy.deciders]]\nrole = "famly"\n${ADA}roles = ["family"]\n`,
    );
    expect([status, end]).toEqual(['doubtful', 'Nothing is broken, but 1 of these hardly does what is meant.']);
    expect(text).toContain("no [[principals]] has the role 'famly' of [[policy.deciders]]");
    expect(text).toContain("nobody may decide about 'unlock_door'");
    expect(text).not.toContain("'read_lock'");
  });

  test('a tool that is not there, and the ones that are left out', async () => {
    const { text } = await doctor(
      `[policy]\nrequester_decides = false\n[[policy.deciders]]\nprincipal = "ada"\ntools = ["unlock_dor", "lock_door"]\n${ADA}`,
    );
    expect(text).toContain("there is no tool 'unlock_dor', which [[policy.deciders]] names");
    expect(text).toContain("nobody may decide about 'unlock_door'");
    expect(text).not.toContain("about 'lock_door'");
  });

  test('whoever may not decide by the scopes of their tokens does not count', async () => {
    const { status, text } = await doctor(`${ADA}scopes = ["run"]\n`);
    expect([status, text]).toEqual(['doubtful', expect.stringContaining("nobody may decide about 'unlock_door'")]);
  });
});
