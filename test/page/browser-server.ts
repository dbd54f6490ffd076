import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM, hasBrowser } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one browser of all page tests is reached; empty when there is none. */
    browser: string;
  }
}

/** Starts one headless browser for all files of the page's tests. It speaks to nobody but the hubs. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!hasBrowser) {
    project.provide('browser', '');
    return () => Promise.resolve();
  }
  const server = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
