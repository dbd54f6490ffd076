import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';
import { GRACE, type PageHub, startHub } from './hub.ts';

/** A tab that hears nothing of what the others tell, as one that the browser has put to sleep. */
const DEAF = 'window.BroadcastChannel = class extends EventTarget { postMessage() {} };';

describe.skipIf(noBrowser !== undefined)(`whom the page acts for ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  let ada: BrowserContext;
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
  });
  afterEach(() => ada.close());
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  const account = (page: Page) => page.locator('.account summary');

  /** Opens a link of Grace in another tab of Ada's browser. */
  async function graceSignsIn(): Promise<Page> {
    const { page } = await open(ada, await hub.loginLink(GRACE));
    await account(page).getByText('grace').waitFor();
    return page;
  }

  test('[P19] a tab that shows Ada decides nothing and says nothing in the name of Grace, whose link was opened in another', async () => {
    ada = await signIn(browser, await hub.loginLink());
    await ada.addInitScript(DEAF);
    const id = await hub.ask('unlock_door', { door: 'front' });
    const { page: asked } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await showAll(asked);
    const { page: chat } = await open(ada, hub.url);
    await chat.getByRole('textbox').fill('a private sentence');
    await graceSignsIn();
    expect(await account(asked).textContent()).toContain('ada');
    await press(asked.getByRole('button', { name: 'Approve', exact: true }));
    await account(asked).getByText('grace').waitFor();
    expect((await hub.agent.gate.store.get(id))?.status).toBe('pending');
    expect(await asked.getByRole('article').count()).toBe(0);
    await chat.keyboard.press('Enter');
    await account(chat).getByText('grace').waitFor();
    await chat.getByText('No conversations yet.').waitFor();
    expect(await chat.getByRole('textbox').inputValue()).toBe('');
    expect(await chat.locator('body').textContent()).not.toContain('private');
    await hub.decide(id, 'rejected', 'cli');
  });

  test('[P19] a tab that shows Ada signs nobody else out', async () => {
    ada = await signIn(browser, await hub.loginLink());
    await ada.addInitScript(DEAF);
    const { page } = await open(ada, hub.url);
    await account(page).getByText('ada').waitFor();
    const grace = await graceSignsIn();
    await account(page).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await account(page).getByText('grace').waitFor();
    await grace.reload();
    await account(grace).getByText('grace').waitFor();
  });

  test('[P19] all tabs notice at once who signs in or out in one of them', async () => {
    ada = await signIn(browser, await hub.loginLink());
    const id = await hub.ask('unlock_door', { door: 'hers' });
    const { page } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await page.getByRole('article').waitFor();
    const grace = await graceSignsIn();
    await account(page).getByText('grace').waitFor();
    expect(page.url()).toBe(`${hub.url}/#/chat`);
    await account(grace).click();
    await grace.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('npx strands-tau login-link').waitFor();
    await hub.decide(id, 'rejected', 'cli');
  });

  test('[P19] whoever signs in again as the same person finds what they were writing', async () => {
    ada = await signIn(browser, await hub.loginLink());
    const { page } = await open(ada, hub.url);
    await page.getByRole('textbox').fill('half a sentence');
    const asked = page.waitForResponse((response) => response.url().endsWith('/api/me'));
    const { page: again } = await open(ada, await hub.loginLink());
    await account(again).getByText('ada').waitFor();
    await asked;
    expect(await page.getByRole('textbox').inputValue()).toBe('half a sentence');
  });

  test.each([
    ['the hub is away', 0],
    ['the hub fails', 503],
  ])('[P19] nobody is told that they are signed out when %s', async (_, status) => {
    ada = await signIn(browser, await hub.loginLink());
    const { page } = await open(ada, hub.url);
    await page.route('**/logout', (route) => (status === 0 ? route.abort() : route.fulfill({ status, json: {} })));
    await account(page).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('Signing out did not work: you are still signed in.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('npx strands-tau login-link').waitFor();
  });
});
