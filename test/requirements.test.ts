import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../scripts/entries.ts';
import { citations } from './citations.ts';
import { requirements } from './requirements.ts';
import { notBuilt, wireRules } from './requirements-ag-ui.ts';

const testFiles = globSync('{src,test}/**/*.test.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('citations.test.ts'),
);
const cited = testFiles.flatMap((file) =>
  citations(file, readFileSync(root + file, 'utf8')).map((citation) => ({ ...citation, file })),
);
const ids = new Set(requirements.map((requirement) => requirement.id));

test('every requirement has its own id', () => {
  expect(ids.size).toBe(requirements.length);
});

test('every requirement is cited by a test', () => {
  const pinned = new Set(cited.map((citation) => citation.id));
  const missing = requirements.filter((requirement) => !pinned.has(requirement.id));
  expect(missing.map(({ id, sentence }) => `${id}: ${sentence}`)).toEqual([]);
});

test('every cited id is a requirement', () => {
  const unknown = cited.filter((citation) => !ids.has(citation.id));
  expect(unknown.map(({ id, file, title }) => `${id} in ${file}: ${title}`)).toEqual([]);
});

test('every rule of the wire contract is a requirement, or is listed as not built, and not both', () => {
  const rules = Object.entries(wireRules).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  const left = notBuilt.map(({ id }) => id);
  const promised = [...ids].filter((id) => /^C\d+\.\d+$/.test(id));
  expect([...promised, ...left].sort()).toEqual(rules.sort());
});

test('a rule that is not built has a reason, and a requirement that says what the client gets instead', () => {
  expect(notBuilt.filter(({ reason, instead }) => reason === '' || !ids.has(instead))).toEqual([]);
});
