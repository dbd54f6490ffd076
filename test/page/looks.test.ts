import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageFiles } from '../../src/channels/web/page-files.ts';
import { noBrowser, open, showAll, signIn, startBrowser } from './browser.ts';
import { type PageHub, startHub } from './hub.ts';

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Folder for screenshots of every place, for a person to look at: `npm run screenshots`. */
const SHOTS = process.env.TAU_TEST_SHOTS;

const sizes = { desktop: { width: 1200, height: 820 }, phone: { width: 360, height: 720 } } as const;

describe.skipIf(noBrowser !== undefined)(`how the page looks ${noBrowser ?? ''}`, () => {
  let hub: PageHub;
  let browser: Browser;
  const places: (readonly [name: string, fragment: string])[] = [];

  beforeAll(async () => {
    hub = await startHub();
    browser = await startBrowser();
    const open = await hub.ask('unlock_door', { door: 'front', note: '\u202e<b>'.repeat(20) });
    const lost = await hub.ask('set_heating', { celsius: 23, why: 'w'.repeat(300) });
    await hub.lose(lost);
    places.push(['chat', '#/chat'], ['waiting', '#/approvals'], ['question', `#/approvals/${open}`]);
    places.push(['over', `#/approvals/${lost}`], ['history', '#/history'], ['audit', '#/audit']);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.close();
  });

  async function eachPlace(page: Page, use: (name: string) => Promise<void>): Promise<void> {
    for (const [name, fragment] of places) {
      await page.goto(`${hub.url}/${fragment}`);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await expect.poll(() => page.locator('.loading').count()).toBe(0);
      await use(name);
    }
  }

  test.each(
    (
      [
        ['desktop', 'English', 'light'],
        ['phone', 'Türkçe', 'dark'],
        ['phone', 'English', 'light'],
        ['desktop', 'Türkçe', 'dark'],
      ] as const
    ).slice(0, SHOTS === undefined ? 2 : 4),
  )('[P15] fits a %s in %s, %s', async (size, language, colorScheme) => {
    const context = await signIn(browser, await hub.loginLink(), { viewport: sizes[size], colorScheme });
    const { page, complaints } = await open(context, hub.url);
    await page.getByRole('button', { name: language }).click();
    await eachPlace(page, async (name) => {
      const overflow = await page.evaluate(
        'Math.max(document.documentElement.scrollWidth, document.querySelector("main").scrollWidth) - innerWidth',
      );
      expect([name, Number(overflow) <= 0]).toEqual([name, true]);
      if (SHOTS === undefined) return;
      await page.screenshot({ path: join(SHOTS, `${size}-${language}-${colorScheme}-${name}.png`) });
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each(['light', 'dark'] as const)('[P15] axe finds nothing serious, %s', async (colorScheme) => {
    // Only here the policy is switched off, so that axe can be put into the page.
    const options = { bypassCSP: true, colorScheme, reducedMotion: 'reduce' } as const;
    const context = await signIn(browser, await hub.loginLink(), options);
    const { page } = await open(context, hub.url);
    const findings: unknown[] = [];
    const look = async (name: string): Promise<void> => {
      if ((await page.evaluate('typeof axe')) === 'undefined') await page.addScriptTag({ content: axe.source });
      const { violations }: { violations: readonly Finding[] } = await page.evaluate('axe.run()');
      for (const { id, impact, nodes } of violations) {
        if (impact === 'serious' || impact === 'critical') findings.push([name, id, nodes.map(({ html }) => html)]);
      }
    };
    await eachPlace(page, look);
    await page.goto(`${hub.url}/${places[2]?.[1]}`);
    await showAll(page);
    await page.getByRole('button', { name: 'Change …' }).click();
    await look('edit');
    await page.getByRole('button', { name: 'Back to the original' }).click();
    await page.getByRole('button', { name: 'Reject …' }).click();
    await look('reject');
    await page.goto(`${hub.url}/#/chat`);
    await page.getByRole('textbox').fill('how warm is it?');
    await page.keyboard.press('Enter');
    await page.getByText('It is 19.5 °C').waitFor();
    await look('conversation');
    await page.getByText('ada', { exact: true }).click();
    await look('account');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('npx strands-tau login-link').waitFor();
    await look('login');
    expect(findings).toEqual([]);
    await context.close();
  });

  test('[P15] the page is small, and nothing in its document is inline', async () => {
    const files = await pageFiles();
    const scripts = [...files].filter(([path]) => path.endsWith('.js'));
    const size = scripts.reduce((sum, [, { body }]) => sum + gzipSync(body).length, 0);
    expect(size).toBeLessThan(60_000);
    const document = new TextDecoder().decode(files.get('/')?.body);
    expect(document).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc="\/assets\/)/);
    expect(files.get('/login')).toEqual(files.get('/'));
    expect([...files].filter(([path]) => path.startsWith('/assets/')).every(([, file]) => file.immutable)).toBe(true);
  });
});
