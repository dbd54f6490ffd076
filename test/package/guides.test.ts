import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/entries.ts';
import { referencePage } from '../../scripts/error-table.ts';
import { pack } from '../../scripts/pack.ts';

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].sort();

/** The links of a page that lead to files of the repository. */
function links(page: string): readonly { readonly file: string; readonly heading: string | undefined }[] {
  const text = readFileSync(root + page, 'utf8').replaceAll(/^```.*?^```/gms, '');
  const targets = [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map((match) => match.groups?.target ?? '');
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', heading] = target.split('#');
      return { file: path === '' ? page : join(dirname(page), path), heading };
    });
}

/** Names of the headings of a page as links have them. */
function headings(page: string): readonly string[] {
  const text = readFileSync(root + page, 'utf8');
  return [...text.matchAll(/^#+ (?<title>.+)$/gm)].map((match) =>
    (match.groups?.title ?? '')
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the guides', () => {
  test('lead to files and headings that are there', () => {
    const broken = pages.flatMap((page) =>
      links(page)
        .filter(({ file, heading }) => {
          if (!existsSync(root + file)) return true;
          return heading !== undefined && !headings(file).includes(heading);
        })
        .map(({ file, heading }) => `${page}: ${file}#${heading ?? ''}`),
    );
    expect(broken).toEqual([]);
  });

  test('lead to nothing that is not in the package', () => {
    const { files } = pack();
    const isPacked = (path: string): boolean =>
      files.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
    expect(pages.filter((page) => !isPacked(page))).toEqual([]);
    const missing = pages.flatMap((page) =>
      links(page)
        .filter(({ file }) => !isPacked(file))
        .map(({ file }) => `${page}: ${file}`),
    );
    expect(missing).toEqual([]);
  });

  test('are all found from the README', () => {
    const listed = new Set(links('README.md').map(({ file }) => file));
    expect(globSync('docs/guide/*.md', { cwd: root }).filter((guide) => !listed.has(guide))).toEqual([]);
  });
});

describe('the reference of the bridge', () => {
  test('has the error codes as they are; `node scripts/error-table.ts` writes them', () => {
    const { text, expected } = referencePage();
    expect(text).toBe(expected);
  });

  test('names every custom event that the bridge sends', () => {
    const sources = globSync('src/ag-ui/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const sent = sources.flatMap((file) =>
      [...readFileSync(root + file, 'utf8').matchAll(/\bcustom\('(?<name>[^']+)'/g)].map(
        (match) => match.groups?.name ?? '',
      ),
    );
    expect(sent.length).toBeGreaterThan(5);
    const { text } = referencePage();
    expect(sent.filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([]);
  });
});
