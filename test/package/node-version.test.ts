import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/entries.ts';

/** Runs a script in a process whose Node says that it is another version. */
function runAs(version: string, script: string): { status: number | null; stderr: string } {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const options = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  const { status, stderr } = spawnSync(process.execPath, [...options, script, '--version'], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe.each(['bin/tau.mjs', 'scripts/require-node.mjs'])('%s', (script) => {
  test.each(['18.0.0', '22.17.9'])('says in one line that Node %s is too old, and stops', (version) => {
    const { status, stderr } = runAs(version, script);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining('needs Node.js 22.18 or newer')]);
    expect(status).toBe(1);
  });

  test('accepts Node 22.18.0', () => {
    expect(runAs('22.18.0', script)).toEqual({ status: 0, stderr: '' });
  });
});
