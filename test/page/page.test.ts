import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';

describe.skipIf(noBrowser !== undefined)(`the page ${noBrowser ?? ''}`, () => {
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

  test('[P15] a login link works once, and its code leaves the address', async () => {
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    const link = await hub.loginLink();
    await page.goto(link);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(page.url()).toBe(`${hub.url}/#/chat`);
    await page.getByText('ada', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('npx strands-tau login-link').waitFor();
    await page.goto(link);
    await page.getByText('This link was used before or is too old').waitFor();
    expect(page.url()).toBe(`${hub.url}/#/chat`);
    await context.close();
  });

  test('[P15] a link that is pasted into the open login page is used, too', async () => {
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await page.goto(`${hub.url}/login`);
    await page.getByText('npx strands-tau login-link').waitFor();
    await page.goto(await hub.loginLink());
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await context.close();
  });

  test('[P15] open questions appear and disappear by themselves, with their number in the title', async () => {
    const { page, complaints } = await open(ada, `${hub.url}/#/approvals`);
    await page.getByText('Nothing waits for you.').waitFor();
    expect(await page.title()).toBe('tau');
    const id = await hub.ask('unlock_door', { door: 'front' });
    await page.getByRole('link', { name: /unlock_door/ }).waitFor();
    expect(await page.title()).toBe('(1) Waiting for you · tau');
    await page.locator('[aria-live=polite]', { hasText: 'New question: unlock_door' }).waitFor({ state: 'attached' });
    await hub.decide(id, 'rejected', 'telegram');
    await page.getByText('Nothing waits for you.').waitFor();
    await page.goto(`${hub.url}/#/history`);
    await page.getByRole('link', { name: /unlock_door.*rejected/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('[P15] a lost connection is told, and what happened meanwhile is there when it is back', async () => {
    const { page } = await open(ada, `${hub.url}/#/approvals`);
    await page.getByText('Live', { exact: true }).waitFor();
    await hub.stop();
    await page.getByText('Connection lost.').waitFor();
    const id = await hub.ask('unlock_door', { door: 'meanwhile' });
    await hub.restart();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: /unlock_door/ }).waitFor();
    expect(await page.getByText('Connection lost.').count()).toBe(0);
    await hub.decide(id, 'rejected', 'telegram');
    await page.close();
  });

  test('[P15] the audit timeline grows while it is looked at, the newest first', async () => {
    await hub.ask('disarm_alarm', {});
    const { page, complaints } = await open(ada, `${hub.url}/#/audit`);
    const calls = page.locator('.timeline > li');
    // What was there before comes with the first reading, the rest by itself.
    await calls.first().getByText('Asked by').first().waitFor();
    const id = await hub.ask('unlock_door', { door: 'audit' });
    await calls.first().getByText('unlock_door').first().waitFor();
    await calls.first().getByText('Shown on the page').waitFor();
    const before = await calls.count();
    await hub.decide(id, 'approved', 'terminal');
    await expect.poll(() => calls.first().textContent()).toContain('Approved by grace, in the terminal');
    expect(await calls.count()).toBe(before);
    await hub.decide(await hub.ask('disarm_alarm', {}), 'rejected', 'terminal');
    await expect.poll(() => calls.first().textContent()).toContain('disarm_alarm');
    expect(await calls.count()).toBe(before + 1);
    await calls.first().locator('summary').click();
    const row = calls.first().locator('.code-block').first();
    await row.waitFor();
    // All of a row is there: a box that ends in the middle of a line looks as if that were all.
    const hidden = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.code-block'))`;
    expect(await page.evaluate(hidden)).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('[P15] the language is chosen, kept, and changes everything', async () => {
    const { page } = await open(ada, hub.url);
    await page.getByRole('button', { name: 'Türkçe' }).click();
    await page.getByRole('heading', { name: 'Sohbet' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sohbet' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('tr');
    await page.getByRole('button', { name: 'English' }).click();
    await page.close();
  });

  test('[P15] a chat shows text, reasoning, calls and errors, and can be stopped', async () => {
    const { page, complaints } = await open(ada, hub.url);
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    await box.fill('how warm is it?');
    await box.press('Enter');
    await page.getByText('It is 19.5 °C in the hall.').waitFor();
    await page.getByText('Reasoning', { exact: true }).click();
    await page.getByText('I look at the thermostat first.').waitFor();
    await page.getByText('read_thermostat').last().click();
    await page.getByText('"celsius": 19.5').waitFor();
    await box.fill('fail <b>now</b>');
    await box.press('Enter');
    await page.getByText('The run failed:').waitFor();
    expect(await page.getByText('4711').count()).toBe(0);
    await page.getByText('fail <b>now</b>').first().waitFor();
    await box.fill('be slow');
    await box.press('Enter');
    await page.getByText('word3').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped this.').waitFor();
    await page.getByRole('link', { name: /how warm is it/ }).waitFor();
    await ada.unrouteAll();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('[P15, P8] a question in the chat is answered there, and the run that the hub goes on with shows its result', async () => {
    const { page, complaints } = await open(ada, hub.url);
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    await box.fill('unlock the front door');
    await box.press('Enter');
    await page.getByText('The agent waits for an answer.').waitFor();
    expect(await box.count()).toBe(0);
    await showAll(page);
    await page.waitForTimeout(600);
    await press(page.getByRole('button', { name: 'Approve', exact: true }));
    await page.getByText('The front door is now unlocked.').waitFor();
    await box.waitFor();
    await page
      .getByRole('article')
      .getByText(/You approved this, on the page · /)
      .waitFor();
    await page.reload();
    await page.getByText('The front door is now unlocked.').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('[P15] the language is that of the browser until a person chooses another', async () => {
    const context = await signIn(browser, await hub.loginLink(), { locale: 'tr-TR' });
    const { page } = await open(context, hub.url);
    await page.getByRole('heading', { name: 'Sohbet' }).waitFor();
    await context.close();
  });

  test('[P15] signing in through a link asks for nothing that the hub has to refuse', async () => {
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(await hub.loginLink());
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(refused).toEqual([]);
    const icon = await context.request.get(`${hub.url}/favicon.ico`);
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/svg+xml']);
    await context.close();
  });

  test('[P15] a tab that comes back to the front reconnects at once', async () => {
    const { page } = await open(ada, `${hub.url}/#/approvals`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route('**/api/events*', (route) => route.abort());
    await hub.stop();
    await page.getByText('Not connected').waitFor();
    const opened = await page.evaluate(
      `(() => {
        let opened = 0;
        window.EventSource = class extends EventSource {
          constructor(...given) {
            super(...given);
            opened += 1;
          }
        };
        document.dispatchEvent(new Event('visibilitychange'));
        return opened;
      })()`,
    );
    expect(opened).toBe(1);
    await hub.restart();
    await page.unrouteAll();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.close();
  });

  test('[P19] somebody signs out here, or everywhere', async () => {
    const bodies: unknown[] = [];
    const context = await signIn(browser, await hub.loginLink());
    context.on('request', (request) => {
      if (request.url().endsWith('/logout')) bodies.push(request.postDataJSON());
    });
    const { page } = await open(context, hub.url);
    await page.getByText('ada', { exact: true }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('npx strands-tau login-link').waitFor();
    expect(bodies).toEqual([{ everywhere: true }]);
    // Whoever else was signed in is asked for a link again.
    const { page: other } = await open(ada, hub.url);
    await other.getByText('npx strands-tau login-link').waitFor();
    await context.close();
  });
});
