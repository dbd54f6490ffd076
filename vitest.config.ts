import type { ViteUserConfig } from 'vitest/config';
import { publicEntries, root } from './scripts/entries.ts';

// Tests import the package by its public names and get the sources, so that a class exists once in a test.
const sourceOfSubpath = publicEntries.map(([subpath, source]) => ({
  find: new RegExp(`^${subpath.replace('.', 'strands-tau')}$`),
  replacement: root + source,
}));

const common = {
  setupFiles: ['test/setup.ts'],
  // Generous: the machine may be busy with something else, and no test waits for its timeout.
  testTimeout: 30_000,
  hookTimeout: 30_000,
  expect: { poll: { timeout: 20_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
};

const config: ViteUserConfig = {
  resolve: { alias: sourceOfSubpath },
  test: {
    maxWorkers: 3,
    reporters: ['default', './scripts/count-reporter.ts'],
    coverage: { provider: 'v8', include: ['src/**'], exclude: ['src/**/*.test.{ts,tsx}'] },
    projects: [
      {
        // Unit tests share their worker: starting one costs more than most of these files.
        extends: true,
        test: { ...common, name: 'unit', include: ['src/**/*.test.{ts,tsx}'], pool: 'threads', isolate: false },
      },
      {
        // The same tests on the oldest Strands SDK that is supported.
        extends: true,
        resolve: { alias: [{ find: '@strands-agents/sdk', replacement: 'strands-sdk-1-16' }] },
        test: {
          ...common,
          name: 'sdk 1.16',
          include: ['src/strands/**/*.test.{ts,tsx}', 'src/testing/*model*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        // These start processes, servers and terminals, or look at the built package.
        extends: true,
        test: {
          ...common,
          name: 'system',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/page/**'],
          pool: 'forks',
        },
      },
      {
        // The hub's page as it was built, in a real browser.
        extends: true,
        test: {
          ...common,
          name: 'page',
          include: ['test/page/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ['test/page/browser-server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
};

export default config;
