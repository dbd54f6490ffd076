import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from '../scripts/entries.ts';
import { citations } from './citations.ts';
import { requirements } from './requirements.ts';
import { plannedRequirements } from './requirements-approvals.ts';

const testFiles = globSync('{src,test}/**/*.test.{ts,tsx}', { cwd: root }).filter(
  (file) => !file.endsWith('citations.test.ts'),
);
const cited = testFiles.flatMap((file) =>
  citations(file, readFileSync(root + file, 'utf8')).map((citation) => ({ ...citation, file })),
);
const ids = new Set([...requirements, ...plannedRequirements].map((requirement) => requirement.id));

test('every requirement has its own id', () => {
  expect(ids.size).toBe(requirements.length + plannedRequirements.length);
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
