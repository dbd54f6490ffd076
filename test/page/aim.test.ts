import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, showAll, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';

/** Longer than a press has to wait that was not meant for what is there now. */
const SETTLED = 700;

describe.skipIf(noBrowser !== undefined)(`a press on the page ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  /** Two questions of one chat, both read to their ends, the first at the top; where its Approve lies. */
  async function twoRead(viewport: { readonly width: number; readonly height: number }) {
    const context = await signIn(browser, await hub.loginLink(), { viewport });
    const { page } = await open(context, hub.url);
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    await box.fill('hello');
    await box.press('Enter');
    await page.getByText('I only know this house.').waitFor();
    const threadId = decodeURIComponent(page.url().split('/').at(-1) ?? '');
    const lines = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`k${i}`, `value ${i}`]));
    const a = await hub.ask('unlock_door', { door: 'front', ...lines }, undefined, threadId);
    const b = await hub.ask('run_shell', { command: 'rm -rf /', ...lines }, undefined, threadId);
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    await page.waitForTimeout(SETTLED);
    for (const k of [1, 0]) await readAll(page, k);
    await page.evaluate(`document.querySelectorAll('.question-open')[0].scrollIntoView({ block: 'start' })`);
    await page.waitForTimeout(SETTLED);
    const button = await approve(page, 0).boundingBox();
    if (button === null) throw new Error('there is no button');
    const place = { x: button.x + button.width / 2, y: button.y + button.height / 2 };
    await page.mouse.move(place.x, place.y);
    return { context, page, a, b, place };
  }

  const approve = (page: Page, k: number) =>
    page.getByRole('article').nth(k).getByRole('button', { name: 'Approve', exact: true });

  async function readAll(page: Page, k: number): Promise<void> {
    const missing = page.getByRole('article').nth(k).getByRole('button', { name: 'Show what is missing' });
    for (let i = 0; i < 40 && (await approve(page, k).isDisabled()); i += 1) {
      await missing.click({ timeout: 500 }).catch(() => undefined);
      await page.waitForTimeout(30);
    }
    expect(await approve(page, k).isDisabled()).toBe(false);
  }

  const statusOf = async (id: string) => (await hub.agent.gate.store.get(id))?.status;

  /**
   * Presses at the place of the first of two questions, `gap` milliseconds after the other one has come to lie there, on a
   * page that gets to it after `busy` milliseconds; what became of the other one. The page presses itself: on a busy machine
   * a press from outside comes too late to show anything, and this one is tried again when it does.
   */
  async function pressBehind(
    viewport: { readonly width: number; readonly height: number },
    press: { readonly gap: number; readonly busy: number },
    answer: (on: Awaited<ReturnType<typeof twoRead>>) => Promise<void>,
  ): Promise<string | undefined> {
    for (let tries = 1; ; tries += 1) {
      const on = await twoRead(viewport);
      await on.page.evaluate(`(({ x, y, gap, busy }) => {
        window.pressed = new Promise((resolve) => new MutationObserver((_, observer) => {
          if (document.querySelectorAll('.question-open').length > 1) return;
          observer.disconnect();
          const slidAt = performance.now();
          setTimeout(() => {
            const button = document.elementFromPoint(x, y).closest('button');
            const press = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 });
            for (const end = performance.now() + busy; performance.now() < end; );
            button?.dispatchEvent(press);
            resolve({ on: button?.className, late: press.timeStamp - slidAt });
          }, gap);
        }).observe(document.body, { childList: true, subtree: true }));
      })(${JSON.stringify({ ...on.place, ...press })})`);
      await answer(on);
      const { late, ...pressed } = await on.page.evaluate<{ on: string; late: number }>('window.pressed');
      expect(pressed).toEqual({ on: 'approve' });
      await on.page.waitForTimeout(300);
      const [first, other] = [await statusOf(on.a), await statusOf(on.b)];
      await leave(on.context);
      expect(first).not.toBe('pending');
      if (late < 450) return other;
      if (tries === 5) throw new Error(`no press came within ${late} ms`);
    }
  }

  test.each([
    [1280, 657],
    [390, 844],
  ])(
    '[P11] that was meant for one question never decides the next, which slides to its place: %i × %i',
    async (width, height) => {
      for (const gap of [0, 350]) {
        const status = await pressBehind({ width, height }, { gap, busy: 0 }, async ({ page, a }) => {
          await page.mouse.down();
          await page.mouse.up();
          await expect.poll(() => statusOf(a)).not.toBe('pending');
        });
        expect([gap, status]).toEqual([gap, 'pending']);
      }
    },
  );

  test('[P11] that comes when the question under it was just answered elsewhere decides nothing', async () => {
    const press = { gap: 80, busy: 0 };
    const status = await pressBehind({ width: 1280, height: 657 }, press, ({ a }) =>
      hub.decide(a, 'rejected', 'telegram'),
    );
    expect(status).toBe('pending');
  });

  test('[P11] that comes once the next question has lain still decides that one', async () => {
    const { context, page, a, b } = await twoRead({ width: 1280, height: 657 });
    await hub.decide(a, 'rejected', 'telegram');
    const left = page.getByRole('button', { name: 'Approve', exact: true });
    await expect.poll(() => left.count()).toBe(1);
    await page.waitForTimeout(SETTLED);
    await left.click();
    await expect.poll(() => statusOf(b)).toMatch(/approved|done/);
    await leave(context);
  });

  test('[P11] counts by when it was made, though a slow page gets to it much later', async () => {
    const press = { gap: 100, busy: 1500 };
    const status = await pressBehind({ width: 1280, height: 657 }, press, ({ a }) =>
      hub.decide(a, 'rejected', 'telegram'),
    );
    expect(status).toBe('pending');
  });

  test('[P8] counts only behind what was seen, also when the window grows over what lay under the buttons', async () => {
    const context = await signIn(browser, await hub.loginLink(), { viewport: { width: 390, height: 400 } });
    const { page } = await open(context, hub.url);
    for (const height of [640, 700, 720, 760]) {
      const id = await hub.ask('unlock_door', { door: 'front', much: 'x'.repeat(40), more: 'y' });
      await page.setViewportSize({ width: 390, height: 400 });
      await page.goto('about:blank');
      await page.goto(`${hub.url}/#/approvals/${id}`);
      await page.getByRole('button', { name: 'Reject …' }).waitFor();
      await page.waitForTimeout(300);
      await page.setViewportSize({ width: 390, height });
      await page.waitForTimeout(400);
      const bar = await page.locator('.decide').boundingBox();
      const ends = await Promise.all((await page.locator('.arguments .line').all()).map((line) => line.boundingBox()));
      const covered = ends.some((end) => end !== null && bar !== null && end.y + end.height > bar.y + 1);
      const enabled = !(await approve(page, 0).isDisabled());
      expect([height, covered && enabled]).toEqual([height, false]);
      await showAll(page);
      expect(await approve(page, 0).isDisabled()).toBe(false);
      await hub.decide(id, 'rejected', 'cli');
    }
    await leave(context);
  });

  async function leave(context: BrowserContext): Promise<void> {
    await hub.decideAll('rejected');
    await context.close();
  }
});
