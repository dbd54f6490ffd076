import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';
import { expectInView } from './in-view.ts';

describe.skipIf(noBrowser !== undefined)(`a conversation on the page ${noBrowser ?? ''}`, () => {
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

  async function say(page: Page, text: string): Promise<void> {
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    await box.fill(text);
    await box.press('Enter');
  }

  async function approve(page: Page): Promise<void> {
    await showAll(page);
    await page.waitForTimeout(600);
    await press(page.getByRole('button', { name: 'Approve', exact: true }));
  }

  /** The texts of the conversation from the first to the last that is named, in the order in which they stand. */
  async function order(...places: readonly Locator[]): Promise<readonly number[]> {
    const tops = await Promise.all(places.map(async (place) => (await place.boundingBox())?.y ?? Number.NaN));
    return tops.map((top) => tops.filter((other) => other < top).length);
  }

  test('[P15] what was asked and answered stays at its place, as a line that leads to what happened', async () => {
    const { page, complaints } = await open(ada, hub.url);
    await say(page, 'unlock the front door');
    await approve(page);
    const answer = page.getByText('The front door is now unlocked.');
    await answer.waitFor();
    const settled = page.getByRole('article');
    await settled.getByText('You approved this').waitFor();
    expect(await order(page.getByText('I will unlock the front door.'), settled, answer)).toEqual([0, 1, 2]);
    await say(page, 'unlock the front door again');
    await page.getByRole('button', { name: 'Reject …' }).click();
    await page.keyboard.type('not at night');
    await page.getByRole('button', { name: 'Reject the call' }).click();
    const no = page.getByText('I did not unlock the door.');
    await no.waitFor();
    const both = [settled.nth(0), answer, settled.nth(1), no];
    expect(await order(...both)).toEqual([0, 1, 2, 3]);
    expect(await settled.getByRole('link', { name: 'What happened' }).count()).toBe(2);
    await page.reload();
    await no.waitFor();
    await expect.poll(() => settled.count()).toBe(2);
    expect(await order(...both)).toEqual([0, 1, 2, 3]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('[P15] a call that was refused is shown as not run, by whom and why', async () => {
    const { page } = await open(ada, hub.url);
    await say(page, 'unlock the front door');
    await page.getByRole('button', { name: 'Reject …' }).click();
    await page.keyboard.type('not at night');
    await page.getByRole('button', { name: 'Reject the call' }).click();
    await page.getByText('I did not unlock the door.').waitFor();
    const call = page.locator('.call');
    await expect.poll(() => call.locator('.call-state').textContent()).toBe('not run');
    const settled = page.getByRole('article');
    expect(await settled.textContent()).toMatch(/You rejected this.*not at night/s);
    await call.locator('summary').click();
    expect(await call.textContent()).not.toContain('Do not perform it');
    const colours = await page.evaluate(
      `['.call-state', '.verdict'].map((place) => getComputedStyle(document.querySelector(place)).color)`,
    );
    const good = await page.evaluate(`(() => {
      const probe = document.body.appendChild(document.createElement('i'));
      probe.className = 'status-good';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })()`);
    expect(colours).not.toContain(good);
    await say(page, 'unlock a door that is no text');
    await page.getByText('The house cannot do that.').waitFor();
    await expect.poll(() => page.locator('.call-state').last().textContent()).toBe('not run');
    await page.locator('.call').last().locator('summary').click();
    await page.getByText('Its arguments do not fit the tool').waitFor();
    expect(await page.locator('.call').last().textContent()).not.toContain('correct the input');
    await page.close();
  });

  test('[P15] the run is stopped in the hub, also one that another tab started, and a reload does not end it', async () => {
    const { page } = await open(ada, hub.url);
    await say(page, 'be slow');
    await page.getByText('word3').waitFor();
    await page.reload();
    await page.getByText('The agent is working').waitFor();
    const { page: other } = await open(ada, page.url());
    await other.getByText('The agent is working').waitFor();
    expect(await other.getByRole('button', { name: 'Send' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Stop' }).click();
    for (const tab of [page, other]) await tab.getByRole('button', { name: 'Send' }).waitFor();
    expect(await page.getByText('word999').count()).toBe(0);
    await say(page, 'how warm is it?');
    await page.getByText('It is 19.5 °C in the hall.').waitFor();
    await other.close();
    await page.close();
  });

  test.each([
    [
      'before the hub told of changes',
      '**/api/events*',
      async (_: Route, page: Page) => page.getByText('The agent is working').waitFor(),
    ],
    ['while an older reading was on its way', '**/api/threads/*', (route: Route) => route.fetch()],
  ])('[P15] a stop is seen, also one that came %s', async (_, late, begin) => {
    const { page } = await open(ada, hub.url);
    await say(page, 'be slow');
    await page.getByText('word3').waitFor();
    const { page: other } = await open(ada, 'about:blank');
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const hold = async (route: Route): Promise<void> => {
      const response = await begin(route, other);
      begun.resolve();
      await stopped.promise;
      await (response === undefined ? route.continue() : route.fulfill({ response }));
    };
    await other.route(late, hold, { times: 1 });
    const read = other.waitForResponse((response) => response.url().includes('/api/threads/'));
    await other.goto(page.url());
    await begun.promise;
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await read;
    stopped.resolve();
    await other.waitForTimeout(300);
    await other.getByRole('button', { name: 'Send' }).waitFor();
    await other.close();
    await page.close();
  });

  test('[P15] a stop that the hub does not take is told, and the run goes on', async () => {
    await ada.route('**/api/threads/*/stop', (route) => route.fulfill({ status: 503, json: {} }));
    const { page } = await open(ada, hub.url);
    await say(page, 'be slow');
    await page.getByText('word3').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('It could not be stopped').waitFor();
    await page.getByText('word20').waitFor();
    await ada.unrouteAll();
    await page.close();
  });

  test('[P15] conversations of one title are told apart by their times, and nothing is called idle', async () => {
    const { page } = await open(ada, hub.url);
    for (let i = 0; i < 2; i += 1) {
      await page.getByRole('button', { name: /New conversation/ }).click();
      await say(page, 'the same words');
      await page.getByText('I only know this house.').waitFor();
      await page.waitForTimeout(1100);
    }
    const same = page.getByRole('link', { name: /the same words/ });
    await expect.poll(() => same.count()).toBe(2);
    const [first, second] = await same.allTextContents();
    expect(first).not.toBe(second);
    expect(await page.getByRole('navigation', { name: 'Conversations' }).textContent()).not.toContain('idle');
    await page.close();
  });

  test('[P15] what happened leads back to the conversation, and to that of nobody else', async () => {
    const { page } = await open(ada, hub.url);
    await say(page, 'unlock the front door');
    await approve(page);
    await page.getByText('The front door is now unlocked.').waitFor();
    const chat = page.url();
    await page.getByRole('link', { name: 'What happened' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(await page.locator('nav a[aria-current=page]').textContent()).toBe('History');
    await page.getByRole('link', { name: '← Chat' }).click();
    await page.getByText('The front door is now unlocked.').waitFor();
    expect(page.url()).toBe(chat);
    const id = await hub.ask('unlock_door', { door: 'green' });
    await page.route(`**/api/approvals/${id}`, async (route) => {
      const response = await route.fetch();
      const { approval } = await response.json();
      await route.fulfill({
        response,
        json: { approval: { ...approval, requester: { id: 'mallory', kind: 'person' } } },
      });
    });
    await page.goto(`${hub.url}/#/approvals/${id}`);
    await page.getByRole('article').waitFor();
    expect(await page.getByRole('link', { name: 'Open the conversation' }).count()).toBe(0);
    await hub.decide(id, 'rejected', 'cli');
    await page.close();
  });

  test('[P15] goes where the address says, however early it changes', async () => {
    const page = await ada.newPage();
    await page.addInitScript(
      `new MutationObserver((_, observer) => {
        if (document.querySelector('.chat') === null) return;
        observer.disconnect();
        location.hash = '#/history';
      }).observe(document, { childList: true, subtree: true })`,
    );
    await page.goto(hub.url);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.close();
  });

  test('[P15] a question of an hour ago is found with its day, who asked and who decided', async () => {
    const { page } = await open(ada, hub.url);
    const id = await hub.ask('unlock_door', { door: 'history' });
    await hub.decide(id, 'rejected', 'telegram');
    await page.goto(`${hub.url}/#/history`);
    const row = page.getByRole('listitem').filter({ hasText: 'unlock_door' }).first();
    await row.getByText('Asked by you').waitFor();
    const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' }).format(Date.now());
    expect(await row.textContent()).toContain(day);
    expect(await row.textContent()).toContain('Rejected by grace');
    await expectInView({ row });
    await page.close();
  });
});
