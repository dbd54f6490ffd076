import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { inject } from 'vitest';
import { CHROMIUM, hasBrowser } from './chromium.ts';

/** Why the tests that need a browser cannot run, if they cannot. */
export const noBrowser: string | undefined = hasBrowser ? undefined : `(skipped: ${CHROMIUM} is not installed)`;

/** The browser that all files share. */
export function startBrowser(): Promise<Browser> {
  return chromium.connect(inject('browser'));
}

/** A page of somebody who is signed in, and what must not have happened in it. */
export interface Watched {
  readonly page: Page;
  /** Uncaught errors, and messages of the console that are warnings or errors, violations of the policy among them. */
  readonly complaints: readonly string[];
}

/** Signs in through a one-time link, in a browser of its own. */
export async function signIn(
  browser: Browser,
  link: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 820 }, locale: 'en', ...options });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole('navigation', { name: /^(Main|Ana)/ }).waitFor();
  await page.close();
  return context;
}

/** What is sent to `POST /api/approvals/{id}/…` from a browser, in order. */
export function watchAnswers(context: BrowserContext): readonly { readonly path: string; readonly body: unknown }[] {
  const sent: { readonly path: string; readonly body: unknown }[] = [];
  context.on('request', (request) => {
    const path = new URL(request.url()).pathname;
    if (request.method() === 'POST' && path.startsWith('/api/approvals/'))
      sent.push({ path, body: request.postDataJSON() });
  });
  return sent;
}

/** Opens an address in a page of its own. */
export async function open(context: BrowserContext, url: string): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // While the hub refuses, requests fail: that is told in the page.
    const expected = message.text().startsWith('Failed to load resource') || message.text().includes('ERR_');
    if (['warning', 'error'].includes(message.type()) && !expected) complaints.push(message.text());
  });
  await page.goto(url);
  return { page, complaints };
}

/** Goes on through a question until all of it was on the screen, as its own button does. */
export async function showAll(page: Page, yes: RegExp = /^(Approve|Onayla)$/): Promise<void> {
  const missing = page.getByRole('button', { name: /Show what is missing|Eksik kalanı göster/ });
  const unfold = page.getByRole('button', { name: /Show the next part|Sonraki bölümü göster/ });
  const approve = page.getByRole('button', { name: yes });
  await approve.waitFor();
  for (let i = 0; i < 200 && (await approve.isDisabled()); i += 1) {
    if ((await unfold.count()) > 0) await unfold.click();
    // It goes away by itself once nothing is missing.
    if ((await missing.count()) > 0) await missing.click({ timeout: 300 }).catch(() => undefined);
    await page.waitForTimeout(20);
  }
}

/** Presses a button that decides: it takes a press only once it has lain still for a moment. */
export async function press(button: Locator): Promise<void> {
  await button.page().waitForTimeout(600);
  await button.click();
}
