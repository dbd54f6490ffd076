import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DemoWorld, type Recovered } from './world.ts';
import { INITIAL_WORLD } from './world-state.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-world-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string): string => readFileSync(join(folder, name), 'utf8');

test('a world that was only looked at leaves no file', () => {
  expect(new DemoWorld(join(folder, 'demo')).read()).toEqual(INITIAL_WORLD);
  expect(existsSync(join(folder, 'demo'))).toBe(false);
});

test('a change is seen by another program that looks at the same folder', () => {
  new DemoWorld(folder).change((state) => ({ ...state, notes: ['süt'] }));
  expect(new DemoWorld(folder).read()).toEqual({ ...INITIAL_WORLD, notes: ['süt'] });
  expect(readdirSync(folder)).toEqual(['world.json']);
});

test('a change that makes no sense is not written', () => {
  const world = new DemoWorld(folder);
  expect(() => world.change((state) => ({ ...state, celsius: 400 }))).toThrow();
  expect(world.read()).toEqual(INITIAL_WORLD);
});

test('every start of a tool is one line', () => {
  const world = new DemoWorld(folder, { now: () => new Date(0) });
  world.started('add_note', { text: 'a\nb' });
  world.started('read_notes', {});
  expect(file('world.log')).toBe(
    '{"at":"1970-01-01T00:00:00.000Z","tool":"add_note","arguments":{"text":"a\\nb"}}\n' +
      '{"at":"1970-01-01T00:00:00.000Z","tool":"read_notes","arguments":{}}\n',
  );
});

test.each([
  ['{"celsius": 2', /JSON/],
  ['{"celsius": 2, "doors": {}}', /does not describe a demo world/],
])('an unreadable world (%s) is set aside and told about, never lost', (text, problem) => {
  const told: Recovered[] = [];
  const world = new DemoWorld(folder, { onRecovered: (recovered) => told.push(recovered) });
  writeFileSync(join(folder, 'world.json'), text);
  expect(world.read()).toEqual(INITIAL_WORLD);
  writeFileSync(join(folder, 'world.json'), 'again');
  world.read();
  expect(told).toEqual([
    { backup: join(folder, 'world.json.bak'), problem: expect.stringMatching(problem) },
    { backup: join(folder, 'world.json.1.bak'), problem: expect.stringMatching(/JSON/) },
  ]);
  expect(file('world.json.bak')).toBe(text);
});

test.each([true, false])(
  'a link is never followed: nothing is read, written or set aside (its target is there: %s)',
  (exists) => {
    const target = join(folder, 'target');
    if (exists) writeFileSync(target, '{"secret": 1}');
    for (const name of ['world.json', 'world.log']) symlinkSync(target, join(folder, name));
    const told: Recovered[] = [];
    const world = new DemoWorld(folder, { onRecovered: (recovered) => told.push(recovered) });
    expect(() => world.read()).toThrow('ELOOP');
    expect(() => world.change((state) => state)).toThrow('ELOOP');
    expect(() => world.started('add_note', {})).toThrow('ELOOP');
    expect(told).toEqual([]);
    expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(exists ? '{"secret": 1}' : undefined);
  },
);
