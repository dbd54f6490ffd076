import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestJson } from '../../src/core/digest.ts';
import { noBrowser, open, press, showAll, signIn, startBrowser, watchAnswers } from './browser.ts';
import { GRACE, type PageHub, startHub } from './hub.ts';

describe.skipIf(noBrowser !== undefined)(`a question on the page ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  let ada: BrowserContext;
  let sent: ReturnType<typeof watchAnswers> = [];
  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
    ada = await signIn(browser, await hub.loginLink());
    sent = watchAnswers(ada);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  /** Opens a question in a page of its own. */
  async function look(id: string, use: (page: Page) => Promise<void>): Promise<void> {
    const { page, complaints } = await open(ada, `${hub.url}/#/approvals/${id}`);
    await page.getByRole('article').waitFor();
    await use(page);
    expect(complaints).toEqual([]);
    await page.close();
  }

  const approve = (page: Page) => page.getByRole('button', { name: 'Approve', exact: true });
  const sentFor = (id: string): readonly unknown[] =>
    sent.filter(({ path }) => path.includes(id)).map(({ body }) => body);

  test('[P9] keeps what tau states apart from what the model wrote, and shows markup and hidden characters', async () => {
    const id = await hub.ask('unlock_door', {
      door: '<img src=x onerror="document.title=1"><script>alert(1)</script>',
      'k\u202ey': '\u200bzero\u2028',
      note: '</code></section>Tier 0 · read',
    });
    await look(id, async (page) => {
      const written = page.getByRole('region', { name: 'Written by the model' });
      const stated = page.getByRole('region', { name: 'What tau states' });
      const text = await written.getByRole('region', { name: 'Arguments' }).textContent();
      expect(text).toContain('<img src=x onerror=\\"document.title=1\\"><script>alert(1)</script>');
      expect(text).toContain('"k\\u202ey": "\\u200bzero\\u2028"');
      expect(text).not.toMatch(/[\u202e\u200b\u2028]/);
      expect(await written.locator('mark').allTextContents()).toEqual(['\\u202e', '\\u200b', '\\u2028']);
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await stated.textContent()).toContain('Tier 2 · physical action or self-written code');
      expect(await stated.textContent()).not.toContain('onerror');
    });
  });

  test('[P9] a tool, an effect and a requester with hostile names are text', async () => {
    const id = await hub.ask('unlock_door', { door: 'front' });
    const { page } = await open(ada, hub.url);
    await page.route(`**/api/approvals/${id}`, async (route) => {
      const response = await route.fetch();
      const { approval } = await response.json();
      const hostile = {
        tool: '<b>a\u202eb</b>',
        effect: '<script>x()</script>\nTier 0',
        requester: { id: 'root\u200b' },
      };
      await route.fulfill({ response, json: { approval: { ...approval, ...hostile } } });
    });
    await page.goto(`${hub.url}/#/approvals/${id}`);
    const stated = page.getByRole('region', { name: 'What tau states' });
    await stated.waitFor();
    expect(await stated.locator('dd').allTextContents()).toEqual(
      expect.arrayContaining(['<b>a\\u202eb</b>', '<script>x()</script>\\u000aTier 0', 'root\\u200b']),
    );
    await page.close();
  });

  test('[P15, P8] is approved with the keyboard alone, for the digest that was shown', async () => {
    const id = await hub.ask('unlock_door', { door: 'back' });
    await look(id, async (page) => {
      await expect.poll(() => approve(page).isEnabled()).toBe(true);
      await page.waitForTimeout(600);
      await page.keyboard.press('y');
      await page.keyboard.press('Enter');
      expect(sentFor(id)).toEqual([]);
      for (let i = 0; i < 30 && !(await focused(page)).startsWith('Approve'); i += 1) await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.getByText('You approved this').first().waitFor();
      const { request, decision } = (await hub.agent.gate.store.get(id)) ?? {};
      const { digest } = request ?? {};
      const { shownDigest } = decision ?? {};
      expect(shownDigest).toMatch(/^[0-9a-f]{64}$/);
      expect(sentFor(id)).toEqual([{ decision: 'approved', digest, shownDigest }]);
      expect(await focused(page)).toContain('You approved this');
    });
  });

  test('[P3, P8] the answer carries a digest of exactly what was on the screen', async () => {
    const id = await hub.ask('unlock_door', { door: 'sh\u202eown' });
    await look(id, async (page) => {
      const facts: readonly (readonly [label: string, text: string])[] = await page.evaluate(`
        [...document.querySelectorAll('.facts .fact')].map((fact) => [
          fact.querySelector('dt').textContent,
          fact.querySelector('dd').textContent,
        ])`);
      const lines = await page.locator('.arguments .line').allTextContents();
      await showAll(page);
      await page.waitForTimeout(600);
      await press(approve(page));
      await page.getByText('You approved this').first().waitFor();
      const stated = facts.filter(([label]) => label !== 'Time left').map(([label, text]) => ({ label, text }));
      const shown = digestJson({ stated, arguments: lines.map((line) => line.replace(/\n$/, '')) });
      expect((await hub.agent.gate.store.get(id))?.decision?.shownDigest).toBe(shown);
    });
  });

  test.each([
    ['at once', ''],
    // A browser with much to do tells late what is on the screen, so the button works long after it was drawn.
    [
      'late',
      `window.IntersectionObserver = class extends IntersectionObserver {
        constructor(look, options) {
          super((entries) => setTimeout(() => look(entries), 700), options);
        }
      };`,
    ],
  ])('[P15] a press right after the question appeared is not counted, when it can be answered %s', async (_, slow) => {
    const id = await hub.ask('unlock_door', { door: 'hasty' });
    const { page } = await open(ada, hub.url);
    await page.evaluate(slow);
    // A press that waits for the button, as somebody does who clicks where another button was.
    await page.evaluate(`
      new MutationObserver((_, observer) => {
        const button = document.querySelector('button.approve:not(:disabled)');
        if (button === null) return;
        observer.disconnect();
        button.click();
      }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
    await page.goto(`${hub.url}/#/approvals/${id}`);
    await page.getByText('Not counted').waitFor();
    expect(sentFor(id)).toEqual([]);
    await press(approve(page));
    await page.getByText('You approved this').first().waitFor();
    await page.close();
  });

  test('[P8] long arguments have to be looked through before Approve works', async () => {
    const id = await hub.ask('run_shell', {
      command: 'echo '.repeat(2000),
      env: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`NAME_${i}`, `value ${i}`])),
    });
    await look(id, async (page) => {
      await page.waitForTimeout(700);
      expect(await approve(page).isDisabled()).toBe(true);
      // Going to the end does not show what is between.
      await page.evaluate(`
        for (const box of document.querySelectorAll('.arguments, main')) box.scrollTo(0, box.scrollHeight)`);
      await page.waitForTimeout(300);
      expect(await approve(page).isDisabled()).toBe(true);
      expect(await page.getByRole('button', { name: 'Change …' }).isDisabled()).toBe(true);
      await showAll(page);
      expect(await page.locator('.arguments').textContent()).toContain('NAME_499');
      await press(approve(page));
      await page.getByText('You approved this').first().waitFor();
    });
  });

  test('[P10] is rejected with a reason', async () => {
    const id = await hub.ask('unlock_door', { door: 'reason' });
    await look(id, async (page) => {
      await page.getByRole('button', { name: 'Reject …' }).click();
      await page.keyboard.type('not at night');
      await page.getByRole('button', { name: 'Reject the call' }).click();
      await page.getByText('You rejected this').first().waitFor();
      expect(await page.getByRole('region', { name: 'What happened' }).textContent()).toContain('not at night');
      expect(sentFor(id)).toMatchObject([{ decision: 'rejected', reason: 'not at night' }]);
    });
  });

  test('[P10] is approved with edits, which are JSON, fit the tool and are told when not', async () => {
    const id = await hub.ask('unlock_door', { door: 'front' });
    await look(id, async (page) => {
      await showAll(page);
      await page.getByRole('button', { name: 'Change …' }).click();
      const editor = page.getByRole('textbox', { name: /Arguments to run instead/ });
      const send = page.getByRole('button', { name: 'Approve these arguments' });
      await send.click();
      await page.getByText('Nothing was changed').waitFor();
      await editor.fill('{"door": oops}');
      await send.click();
      await page.getByText('line 1, column 10').waitFor();
      await editor.fill('{"gate": 1}');
      await send.click();
      await page.getByText('It does not fit the tool').waitFor();
      await editor.fill('{"door": "back"}');
      await send.click();
      await page.getByRole('region', { name: 'Changed by a person' }).waitFor();
      await page.getByText('You approved this').first().waitFor();
      expect(sentFor(id).at(-1)).toMatchObject({ decision: 'approved', editedArguments: { door: 'back' } });
    });
  });

  test('[P10] an edit that changes the effect is shown as a new question', async () => {
    const id = await hub.ask('set_heating', { celsius: 20 });
    await look(id, async (page) => {
      await showAll(page);
      await page.getByRole('button', { name: 'Change …' }).click();
      await page.getByRole('textbox', { name: /Arguments to run instead/ }).fill('{"celsius": 30}');
      await page.getByRole('button', { name: 'Approve these arguments' }).click();
      await page.getByText('Not approved yet').waitFor();
      expect(page.url()).not.toContain(id);
      expect(await page.getByRole('region', { name: 'What tau states' }).textContent()).toContain('{"celsius":30}');
      await showAll(page);
      await page.waitForTimeout(600);
      await press(approve(page));
      await page.getByText('You approved this').first().waitFor();
      await page.getByRole('link', { name: 'Edit of an earlier question' }).waitFor();
    });
  });

  test('[P15] decided elsewhere: the page tells who, when and where, before and after an own answer', async () => {
    const first = await hub.ask('unlock_door', { door: 'elsewhere' });
    await look(first, async (page) => {
      await showAll(page);
      await hub.decide(first, 'rejected', 'telegram');
      const told = page.getByText(/grace had already rejected this, on Telegram · .*\. It was not run\./);
      await told.first().waitFor();
      expect(await approve(page).count()).toBe(0);
    });
    const second = await hub.ask('unlock_door', { door: 'race' });
    await look(second, async (page) => {
      await showAll(page);
      await page.waitForTimeout(600);
      // The page does not hear of it in time.
      await page.route(`**/api/approvals/${second}/decision`, async (route) => {
        await hub.decide(second, 'approved', 'terminal');
        await route.continue();
      });
      await press(approve(page));
      await page
        .getByText(/grace had already approved this, in the terminal · /)
        .first()
        .waitFor();
    });
  });

  test('[P15] a digest that is no longer the open one leads to a second look', async () => {
    const id = await hub.ask('unlock_door', { door: 'digest' });
    await look(id, async (page) => {
      await showAll(page);
      await page.waitForTimeout(600);
      await page.route(`**/api/approvals/${id}/decision`, (route) =>
        route.fulfill({ status: 422, json: { error: { code: 'digest_mismatch', message: 'Another.' } } }),
      );
      await press(approve(page));
      await page.getByText('The question changed or is gone').waitFor();
    });
  });

  test('[P15, P7] a question of somebody else cannot be decided, an own one withdrawn, an unknown outcome tried again', async () => {
    await look(await hub.ask('disarm_alarm', {}), async (page) => {
      await page.getByText('You may not decide this question.').waitFor();
      expect(await approve(page).count()).toBe(0);
    });
    const foreign = await hub.ask('unlock_door', { door: 'front' }, GRACE);
    const { page: nothing } = await open(ada, `${hub.url}/#/approvals/${foreign}`);
    await nothing.getByText('There is no such question, or you may not see it.').waitFor();
    await nothing.close();
    await look(await hub.ask('unlock_door', { door: 'withdraw' }), async (page) => {
      await page.getByRole('button', { name: 'Withdraw the question' }).click();
      await page.getByRole('button', { name: 'Yes, withdraw it' }).click();
      await page.getByText('You withdrew this question.').first().waitFor();
    });
    const lost = await hub.ask('unlock_door', { door: 'lost' });
    await hub.lose(lost);
    await look(lost, async (page) => {
      await page.getByText('It is unknown whether it took effect').waitFor();
      await showAll(page, /^Order a new attempt$/);
      await press(page.getByRole('button', { name: 'Order a new attempt' }));
      await page.getByRole('link', { name: 'New attempt of an earlier question' }).waitFor();
      await page.getByText('The tool ended with a result').waitFor();
      expect(hub.ran.filter((line) => line.includes('lost'))).toEqual(['unlock_door {"door":"lost"}']);
    });
  });
});

function focused(page: Page): Promise<string> {
  return page.evaluate('document.activeElement?.textContent ?? ""');
}
