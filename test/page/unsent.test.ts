import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';

describe.skipIf(noBrowser !== undefined)(`what somebody typed on the page ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  let ada: BrowserContext;
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
    ada = await signIn(browser, await hub.loginLink());
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  const field = (page: Page) => page.getByRole('textbox', { name: 'Message to the agent' });

  async function say(page: Page, text: string): Promise<void> {
    await field(page).fill(text);
    await field(page).press('Enter');
  }

  test.each([
    ['a new conversation', []],
    ['one that goes on', ['hello']],
  ])(
    '[P15] in %s comes back with a word when the hub did not get it, before what was typed since',
    async (_, before) => {
      const { page } = await open(ada, hub.url);
      for (const text of before) {
        await say(page, text);
        await page.getByText('I only know this house.').waitFor();
      }
      await page.getByText('Live', { exact: true }).waitFor();
      await hub.stop();
      await say(page, 'this took me five minutes');
      await page.getByText('It is not certain that your message arrived.').waitFor();
      expect(await page.getByText('The agent may still be working').count()).toBe(0);
      await field(page).fill('and one more');
      await hub.restart();
      await page.getByText('The hub does not have your message: it was not sent.').waitFor();
      expect(await field(page).inputValue()).toBe('this took me five minutes\nand one more');
      expect(await page.getByText('does not exist').count()).toBe(0);
      await field(page).press('Enter');
      await expect.poll(() => page.getByText('I only know this house.').count()).toBe(before.length + 1);
      expect(await page.getByText('The hub does not have your message').count()).toBe(0);
      await page.close();
    },
  );

  test('[P15] comes back also to whoever has looked elsewhere meanwhile', async () => {
    const { page } = await open(ada, hub.url);
    await page.getByText('Live', { exact: true }).waitFor();
    await hub.stop();
    await say(page, 'this took me long');
    await page.getByText('It is not certain that your message arrived.').waitFor();
    await page.getByRole('link', { name: 'Audit' }).click();
    await hub.restart();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByText('The hub does not have your message').waitFor();
    expect(await field(page).inputValue()).toBe('this took me long');
    await page.close();
  });

  test('[P15] comes back with a word when another tab was faster', async () => {
    const { page } = await open(ada, hub.url);
    await say(page, 'hello');
    await page.getByText('I only know this house.').waitFor();
    const late = await ada.newPage();
    // This tab does not hear of what the other one begins.
    await late.route('**/api/events?*', () => undefined);
    await late.goto(page.url());
    await late.getByText('I only know this house.').waitFor();
    await say(page, 'be slow');
    await page.getByText('word3').waitFor();
    await say(late, 'my own words');
    await late.getByText('Your message was not sent: the agent was already at work').waitFor();
    expect(await field(late).inputValue()).toBe('my own words');
    await late.getByText('The agent is working on this').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await late.close();
    await page.close();
  });

  test('[P15] comes back with what the hub says when it refuses', async () => {
    const { page } = await open(ada, hub.url);
    await page.route('**/agent', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'stopping', message: 'The hub is stopping.' } } }),
    );
    await say(page, 'at the wrong time');
    await page.getByText('Your message was not sent: The hub is stopping.').waitFor();
    expect(await field(page).inputValue()).toBe('at the wrong time');
    await page.unrouteAll();
    await field(page).press('Enter');
    await page.getByText('I only know this house.').waitFor();
    await page.close();
  });

  test('[P15] and did not send is there again, in the conversation that was looked at last', async () => {
    const { page } = await open(ada, hub.url);
    await field(page).fill('half');
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    expect(await field(page).inputValue()).toBe('half');
    await say(page, 'hello again');
    await page.getByText('I only know this house.').waitFor();
    await field(page).fill('a half sentence');
    const chat = page.url();
    await page.getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.getByRole('link', { name: 'Chat' }).click();
    await page.getByText('I only know this house.').waitFor();
    expect([page.url(), await field(page).inputValue()]).toEqual([chat, 'a half sentence']);
    await page.getByRole('button', { name: /New conversation/ }).click();
    await page.getByText('What it can do').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await page.close();
  });
});
