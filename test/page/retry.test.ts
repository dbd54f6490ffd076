import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';
import { GRACE, type PageHub, startHub } from './hub.ts';

describe.skipIf(noBrowser !== undefined)(`ordering a new attempt on the page ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  let ada: BrowserContext;
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
    ada = await signIn(browser, await hub.loginLink(), { viewport: { width: 360, height: 640 } });
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  const button = (page: Page) => page.getByRole('button', { name: 'Order a new attempt' });

  /** A call that was cut off, of whose outcome nobody knows. */
  async function lost(args: { readonly [key: string]: string }): Promise<string> {
    const id = await hub.ask('unlock_door', args);
    await hub.lose(id);
    return id;
  }

  async function read(id: string): Promise<Page> {
    const { page } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await showAll(page, /^Order a new attempt$/);
    return page;
  }

  const attempts = async (id: string): Promise<number> => {
    const { records } = await hub.agent.gate.store.list({ limit: 1000 });
    return records.filter(({ retryOf }) => retryOf === id).length;
  };

  test('[P8] works only once all of it was on the screen, as Approve does', async () => {
    const id = await lost({ door: 'front', words: 'word '.repeat(400), end: 'AND ALL OTHERS' });
    const { page } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await button(page).waitFor();
    await page.waitForTimeout(700);
    expect(await button(page).isDisabled()).toBe(true);
    await page.evaluate(`document.querySelector('.question-over button.approve').click()`);
    expect(await attempts(id)).toBe(0);
    await showAll(page, /^Order a new attempt$/);
    await press(button(page));
    await page.getByRole('link', { name: 'New attempt of an earlier question' }).waitFor();
    expect(await attempts(id)).toBe(1);
    await page.close();
  });

  test('[P15] takes no press that comes as soon as it works, and no key that is held down', async () => {
    const id = await lost({ door: 'hasty' });
    const { page } = await open(ada, hub.url);
    await page.evaluate(`
      new MutationObserver((_, observer) => {
        const button = document.querySelector('.question-over button.approve:not(:disabled)');
        if (button === null) return;
        observer.disconnect();
        button.click();
        const held = { key: 'Enter', repeat: true, bubbles: true, cancelable: true };
        window.taken = button.dispatchEvent(new KeyboardEvent('keydown', held));
      }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await page.goto(`${hub.url}/#/approvals/${id}`);
    await showAll(page, /^Order a new attempt$/);
    await page.getByText('Not counted').waitFor();
    expect(await page.evaluate('window.taken')).toBe(false);
    expect(await attempts(id)).toBe(0);
    await page.close();
  });

  test('[P7, P15] tells that somebody has ordered one already, and leads there', async () => {
    const id = await lost({ door: 'twice' });
    const page = await read(id);
    const digest = (await hub.agent.gate.store.get(id))?.request.digest ?? '';
    await hub.agent.gate.retry(id, { by: GRACE, channel: 'telegram', digest });
    await press(button(page));
    await page.getByText('A new attempt was ordered.').waitFor();
    expect(await button(page).count()).toBe(0);
    await page.getByRole('link', { name: 'To that attempt' }).click();
    await page.getByRole('link', { name: 'New attempt of an earlier question' }).waitFor();
    expect(await attempts(id)).toBe(1);
    await page.close();
  });

  test('[P15] tells in words why it did not work', async () => {
    const id = await lost({ door: 'words' });
    const page = await read(id);
    const refuse = (status: number, code: string) =>
      page.route('**/retry', (route) => route.fulfill({ status, json: { error: { code, message: 'No.' } } }), {
        times: 1,
      });
    await refuse(409, 'void');
    await press(button(page));
    await page.getByText('It cannot be attempted again: the tool or the rules have changed').waitFor();
    await refuse(503, 'store_locked');
    await press(button(page));
    await page.getByText('The hub had a problem: no new attempt was ordered').waitFor();
    await refuse(422, 'digest_mismatch');
    await press(button(page));
    await page.getByText('The question changed or is gone.').waitFor();
    await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
    await hub.stop();
    await press(button(page));
    await page.getByText('It is not certain that your order arrived.').waitFor();
    await hub.restart();
    await page.getByText('Your order did not arrive: no new attempt was ordered.').waitFor();
    expect(await attempts(id)).toBe(0);
    await page.close();
  });
});
