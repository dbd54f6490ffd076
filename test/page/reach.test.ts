import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';
import { expectInView, isInView } from './in-view.ts';

const sizes = [
  { width: 1280, height: 800 },
  { width: 1280, height: 657 },
  { width: 390, height: 844 },
] as const;

describe.skipIf(noBrowser !== undefined)(`what is within reach on the page ${noBrowser ?? ''}`, () => {
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

  async function visit(viewport: { readonly width: number; readonly height: number }): Promise<{
    readonly context: BrowserContext;
    readonly page: Page;
  }> {
    const context = await signIn(browser, await hub.loginLink(), { viewport });
    return { context, page: (await open(context, hub.url)).page };
  }

  async function say(page: Page, text: string): Promise<void> {
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    await box.fill(text);
    await box.press('Enter');
  }

  /** Says something that is answered at once, often enough to fill more than one screen. */
  async function talkAtLength(page: Page): Promise<void> {
    for (let i = 1; i <= 8; i += 1) {
      await say(page, `hello ${i}\n\n\nagain`);
      await expect.poll(() => page.getByText('I only know this house.').count(), { timeout: 10_000 }).toBe(i);
    }
  }

  const parts = (page: Page) => ({
    title: page.getByRole('heading', { name: 'Approval needed' }),
    tool: page.locator('.fact-tool dd'),
    effect: page.locator('.fact-effect dd'),
    arguments: page.locator('.arguments'),
    approve: page.getByRole('button', { name: 'Approve', exact: true }),
    reject: page.getByRole('button', { name: 'Reject …' }),
  });

  test.each(sizes)(
    '[P15] a question that comes up in a long chat is there to be answered: $width × $height',
    async (size) => {
      const { context, page } = await visit(size);
      await talkAtLength(page);
      await say(page, 'unlock the front door');
      await page.getByRole('article').waitFor();
      await expectInView(parts(page));
      // The field is away while nothing can be said, and what is typed goes nowhere.
      expect(await page.evaluate('document.activeElement.className')).toBe('writing');
      await page.reload();
      await page.getByRole('article').waitFor();
      await expectInView(parts(page));
      expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BUTTON');
      await context.close();
    },
  );

  test.each(sizes)('[P15] the page as a whole never scrolls: $width × $height', async (size) => {
    const { context, page } = await visit(size);
    const overflow = async (): Promise<unknown> => {
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.waitForTimeout(200);
      return page.evaluate('(scrollTo(0, 999), [document.scrollingElement.scrollHeight - innerHeight, scrollY])');
    };
    await page.getByText('What it can do').waitFor();
    expect(['start', await overflow()]).toEqual(['start', [0, 0]]);
    for (let i = 0; i < 6; i += 1) await hub.decide(await hub.ask('unlock_door', { door: `d${i}` }), 'rejected', 'cli');
    await talkAtLength(page);
    expect(['chat', await overflow()]).toEqual(['chat', [0, 0]]);
    for (const place of ['approvals', 'history', 'audit']) {
      await page.goto(`${hub.url}/#/${place}`);
      expect([place, await overflow()]).toEqual([place, [0, 0]]);
    }
    await context.close();
  });

  test('[P8] what lies under the bar with the buttons has not been shown', async () => {
    const { context, page } = await visit({ width: 1280, height: 700 });
    const id = await hub.ask('unlock_door', { door: 'front', a: 1, b: 2 });
    const { approve, reject } = parts(page);
    const last = page.locator('.arguments .line').last();
    let hidden = 0;
    for (let height = 640; height >= 460; height -= 20) {
      await page.setViewportSize({ width: 1280, height });
      await page.goto('about:blank');
      await page.goto(`${hub.url}/#/approvals/${id}`);
      await reject.waitFor();
      await page.waitForTimeout(300);
      await expectInView({ approve, reject });
      const seen = await isInView(last);
      if (!seen) hidden += 1;
      expect([height, seen || (await approve.isDisabled())]).toEqual([height, true]);
    }
    expect(hidden).toBeGreaterThan(2);
    await hub.decide(id, 'rejected', 'cli');
    await context.close();
  });

  test('[P15] the field is away while nothing can be sent, and there again with what was typed and the focus', async () => {
    const { context, page } = await visit({ width: 360, height: 640 });
    const box = page.getByRole('textbox', { name: 'Message to the agent' });
    const typed = Promise.withResolvers<void>();
    await page.route('**/agent', (route) => typed.promise.then(() => route.continue()));
    await say(page, 'unlock the front door');
    await box.fill('and then');
    typed.resolve();
    await page.getByRole('article').waitFor();
    await expect.poll(() => box.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    // What can be read of the conversation is more than half of the screen.
    const { height } = (await page.locator('.conversation-scroll').boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(320);
    await hub.decideAll('rejected');
    await page.getByText('I did not unlock the door.').waitFor();
    await box.waitFor();
    expect(await box.inputValue()).toBe('and then');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await context.close();
  });

  test.each(sizes)(
    '[P15] no conversation is wider than its column, however long its title: $width × $height',
    async (size) => {
      const { context, page } = await visit(size);
      await say(page, `unlock ${'the-front-door-'.repeat(8)} and then all of the other doors of this house`);
      await page.getByRole('article').waitFor();
      const toggle = page.getByRole('button', { name: 'Conversations', exact: true });
      if (await toggle.isVisible()) await toggle.click();
      const list = page.getByRole('navigation', { name: 'Conversations' });
      await list.getByText('waiting for an answer').first().waitFor();
      const wider = await page.evaluate(`(() => {
      const column = document.querySelector('nav.threads').getBoundingClientRect();
      const parts = [...document.querySelectorAll('nav.threads li, nav.threads a, nav.threads span')];
      return parts.filter((part) => part.getBoundingClientRect().right > column.right).map((part) => part.textContent);
    })()`);
      expect(wider).toEqual([]);
      // What does not fit ends in an ellipsis.
      const title = list.locator('.thread-title').first();
      const cut = 'getComputedStyle(document.querySelector(".thread-title")).textOverflow';
      expect([await title.isVisible(), await page.evaluate(cut)]).toEqual([true, 'ellipsis']);
      await hub.decideAll('rejected');
      await context.close();
    },
  );

  test('[P15] another question does not scroll away what somebody is writing', async () => {
    const { context, page } = await visit({ width: 1280, height: 657 });
    await say(page, 'unlock the front door');
    await page.getByRole('button', { name: 'Reject …' }).click();
    const reason = page.getByRole('textbox', { name: /^Reason/ });
    await reason.fill('because');
    const threadId = decodeURIComponent(page.url().split('/').at(-1) ?? '');
    const other = await hub.ask('unlock_door', { door: 'back' }, undefined, threadId);
    await expect.poll(() => page.getByRole('article').count()).toBe(2);
    await page.waitForTimeout(200);
    await expectInView({ reason });
    expect(await page.evaluate('document.activeElement.value')).toBe('because');
    await hub.decide(other, 'rejected', 'cli');
    await context.close();
  });

  test.each(sizes)(
    '[P15] a reason for a no can be written and sent without scrolling: $width × $height',
    async (size) => {
      const { context, page } = await visit(size);
      await say(page, 'unlock the front door');
      await page.getByRole('button', { name: 'Reject …' }).click();
      await expectInView({
        reason: page.getByRole('textbox', { name: /^Reason/ }),
        send: page.getByRole('button', { name: 'Reject the call' }),
        cancel: page.getByRole('button', { name: 'Cancel' }),
      });
      await page.getByRole('button', { name: 'Reject the call' }).click();
      await page.getByText('I did not unlock the door.').waitFor();
      await context.close();
    },
  );

  test('[P15] why nothing can be sent stands beside the button; nothing loses the focus', async () => {
    const { context, page } = await visit({ width: 1280, height: 657 });
    await page.getByRole('button', { name: 'unlock the front door' }).click();
    await page.getByRole('article').waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('writing');
    await expectInView({ why: page.getByText('The agent waits for an answer.') });
    await hub.decideAll('rejected');
    await page.setViewportSize({ width: 1280, height: 480 });
    const id = await hub.ask('run_shell', { command: 'echo '.repeat(400) });
    await page.goto(`${hub.url}/#/approvals/${id}`);
    const missing = page.getByRole('button', { name: 'Show what is missing' });
    await missing.focus();
    for (let i = 0; i < 60 && (await missing.count()) > 0; i += 1) {
      await page.keyboard.press('Enter');
      await page.waitForTimeout(60);
    }
    await page.waitForTimeout(200);
    expect(await page.evaluate('document.activeElement.closest("article") !== null')).toBe(true);
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BUTTON');
    await hub.decide(id, 'rejected', 'cli');
    await context.close();
  });
});
