import { expect, test } from 'vitest';
import { runInWorld } from './shell.ts';
import { INITIAL_WORLD } from './world-state.ts';

const NOW = new Date(0);
const run = (line: string): { output: string; exitCode: number } => {
  const { output, exitCode } = runInWorld(line, INITIAL_WORLD, NOW);
  return { output, exitCode };
};

test.each([
  ['ls', 'letters/\nreadme.txt\nshopping.txt\n'],
  ['ls -la /', 'home/\n'],
  ['ls ../../etc/..', 'home/\n'],
  ['cat shopping.txt', 'bread\ntea\n'],
  ['cat ~/letters/draft.txt', 'Dear neighbour,\n'],
  ['echo "a  b" c', 'a  b c\n'],
  ['date', '1970-01-01T00:00:00.000Z\n'],
  ['pwd', '/home/demo\n'],
])('%s prints', (line, output) => {
  expect(run(line)).toEqual({ output, exitCode: 0 });
});

test.each([
  ['sudo reboot', 'sudo: command not found\n', 127],
  ['constructor', 'constructor: command not found\n', 127],
  ['', 'nothing to run\n', 127],
  ['cat /etc/passwd', 'cat: /etc/passwd: no such file\n', 1],
  ['cat ../../../etc/passwd', 'cat: /etc/passwd: no such file\n', 1],
  ['ls /etc', 'ls: /etc: no such file or folder\n', 1],
  ['rm /etc/passwd', 'rm: /etc/passwd: nothing there that could be removed\n', 1],
])('%s fails in the made-up world and reaches nothing outside of it', (line, output, exitCode) => {
  expect(run(line)).toEqual({ output, exitCode });
});

test('rm -rf / empties the made-up files', () => {
  expect(runInWorld('rm -rf /', INITIAL_WORLD, NOW)).toEqual({
    state: { ...INITIAL_WORLD, files: {} },
    output: 'removed 3 file(s)\n',
    exitCode: 0,
  });
});

test('echo writes a made-up file', () => {
  const { state } = runInWorld('echo hi > a.txt', INITIAL_WORLD, NOW);
  expect(runInWorld('cat a.txt', state, NOW).output).toBe('hi\n');
});
