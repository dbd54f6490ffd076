import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser, open, press, showAll, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';
import { expectInView } from './in-view.ts';

describe.skipIf(noBrowser !== undefined)(`an answer on the page ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  let ada: BrowserContext;
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
    ada = await signIn(browser, await hub.loginLink(), { viewport: { width: 1280, height: 657 } });
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  async function look(id: string): Promise<Page> {
    const { page } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await page.getByRole('article').waitFor();
    await showAll(page);
    await page.waitForTimeout(600);
    return page;
  }

  const approve = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true });

  test('[P10] while the arguments are edited only the edit can be approved', async () => {
    const page = await look(await hub.ask('set_heating', { celsius: 20 }));
    await page.getByRole('button', { name: 'Change …' }).click();
    expect(await approve(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reject …' }).count()).toBe(0);
    const send = page.getByRole('button', { name: 'Approve these arguments' });
    const back = page.getByRole('button', { name: 'Back to the original' });
    await expectInView({ editor: page.getByRole('textbox', { name: /Arguments to run instead/ }), send, back });
    await back.click();
    await approve(page).waitFor();
    await page.getByRole('button', { name: 'Change …' }).click();
    await page.getByRole('textbox', { name: /Arguments to run instead/ }).fill('{"celsius": "warm"}');
    await send.click();
    const problem = page.getByText('It does not fit the tool');
    await problem.waitFor();
    expect(await problem.textContent()).not.toMatch(/was not run|correct the input|The input for tool/);
    await page.getByRole('textbox', { name: /Arguments to run instead/ }).fill('{"celsius": 30}');
    await send.click();
    await page.getByRole('region', { name: 'Changed by a person' }).waitFor();
    expect(await page.getByText('Written by the model').count()).toBe(0);
    const note = page.getByText(/Not approved yet.*effect.*press Approve/);
    await note.waitFor();
    await showAll(page);
    await page.waitForTimeout(600);
    await press(approve(page));
    await page.getByText('You approved this').first().waitFor();
    expect(await note.count()).toBe(0);
    await page.close();
  });

  test('[P2] withdrawing asks once, and tells that it was you', async () => {
    const page = await look(await hub.ask('unlock_door', { door: 'withdraw' }));
    await page.getByRole('button', { name: 'Withdraw the question' }).click();
    await page.getByRole('button', { name: 'Keep it open' }).click();
    await page.getByRole('button', { name: 'Withdraw the question' }).click();
    await page.getByRole('button', { name: 'Yes, withdraw it' }).click();
    await page.getByText('You withdrew this question. It was not run.').first().waitFor();
    await page.close();
  });

  test('[P15] a form that opens takes the keys at once, so that none that is typed right after the press is lost', async () => {
    const page = await look(await hub.ask('set_heating', { celsius: 22 }));
    // No frame is painted between the press and the look.
    const focused = (name: string) =>
      page.evaluate(
        `(async () => {
          const button = [...document.querySelectorAll('button')].find((one) => one.textContent === '${name}');
          button.focus();
          button.click();
          await new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
          return document.activeElement.tagName + ' ' + document.activeElement.textContent;
        })()`,
      );
    for (const form of ['Reject …', 'Change …']) {
      expect(await focused(form)).toMatch(/^TEXTAREA/);
      await page.getByRole('button', { name: /Cancel|Back to the original/ }).click();
    }
    expect(await focused('Withdraw the question')).toBe('BUTTON Keep it open');
    await page.close();
  });

  test('[P15] what only a technician needs stands behind a step of its own', async () => {
    const id = await hub.ask('unlock_door', { door: 'plain' });
    const page = await look(id);
    const article = page.getByRole('article');
    expect(await article.getByText('Whole digest', { exact: true }).isVisible()).toBe(false);
    expect(await article.getByText('a conversation elsewhere').isVisible()).toBe(false);
    await article.getByText('Technical details').click();
    expect(await article.getByText('Whole digest', { exact: true }).isVisible()).toBe(true);
    expect(await article.getByText('a conversation elsewhere').isVisible()).toBe(true);
    await hub.decide(id, 'approved', 'web');
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('grace had already approved this').first().waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/on web|[dD]elivered to hub/);
    await page.goto(`${hub.url}/#/audit`);
    const group = page.locator('.timeline > li').filter({ hasText: 'unlock_door' }).first();
    await group.getByText('Approved by grace, on the page').waitFor();
    expect(
      await page
        .locator('.timeline > li')
        .filter({ hasText: 'Asked by you' })
        .filter({ hasText: 'Approved by grace' })
        .count(),
    ).toBe(1);
    await page.close();
  });

  test('[P15] an answer to a hub that is down is told beside the buttons, in words, until the hub is back', async () => {
    const page = await look(await hub.ask('unlock_door', { door: 'front' }));
    await hub.stop();
    await press(approve(page));
    const notice = page.getByText('The hub does not answer. It is not certain that your answer arrived.');
    await expectInView({ notice });
    expect(await page.getByRole('article').textContent()).not.toContain('unreachable');
    await hub.restart();
    await page.getByText('Your answer did not arrive. The question is still open.').waitFor();
    expect(await notice.count()).toBe(0);
    await press(approve(page));
    await page.getByText('You approved this').first().waitFor();
    expect(await page.getByText('did not arrive').count()).toBe(0);
    await page.close();
  });
});
