import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, CliFolder } from '../e2e/cli-fixtures/run-cli.ts';
import { ServeCli } from '../hub/support/serve-cli.ts';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';

describe.skipIf(noBrowser !== undefined)(`from tau serve to an answer ${noBrowser ?? ''}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  test.each([
    {
      size: 'desktop',
      viewport: { width: 1200, height: 820 },
      locale: 'en',
      say: 'unlock the front door',
      approve: 'Approve',
      done: 'The front door is now unlocked.',
      audit: 'You approved this, on the page',
    },
    {
      size: 'phone',
      viewport: { width: 390, height: 800 },
      locale: 'tr',
      say: 'ön kapıyı aç',
      approve: 'Onayla',
      done: 'Ön kapı artık kilitli değil.',
      audit: 'Siz onayladınız, sayfada',
    },
  ])('[P15, P18, P20] the printed link, a chat, a yes, what came of it, its audit: $size, $locale', async (walk) => {
    const { viewport, locale } = walk;
    using folder = new CliFolder();
    await using serve = new ServeCli(folder, ['--demo', '--data', '.tau', '--language', locale], {}, BIN);
    const context = await signIn(browser, await serve.link(), { viewport, locale });
    const { page, complaints } = await open(context, await serve.url());
    await page.getByRole('textbox').fill(walk.say);
    await page.keyboard.press('Enter');
    await page.getByRole('article').waitFor();
    expect(folder.ran()).toEqual([]);
    await showAll(page);
    await page.waitForTimeout(600);
    await press(page.getByRole('button', { name: walk.approve, exact: true }));
    await page.getByText(walk.done).waitFor();
    expect(folder.ran()).toEqual(['unlock_door {"door":"front"}']);
    await page.goto(`${await serve.url()}/#/audit`);
    await page.locator('.timeline').getByText(walk.audit).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
    expect(await serve.stop()).toBe(0);
    expect([folder.ran().length, serve.err]).toEqual([1, '']);
  });
});
