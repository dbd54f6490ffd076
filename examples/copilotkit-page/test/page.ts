// Drives the built page in a headless browser: what a person sees, clicks and gets, and what really ran.
//
//   npm test                                        needs Chromium; CHROMIUM names it, default /usr/bin/chromium
//   SHOTS=/tmp/shots npm test                       keeps a picture of each step
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { type Rounds, rounds } from './rounds.ts';
import { Visit } from './visit.ts';

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

let failed = 0;
try {
  for (const [title, round] of Object.entries<Rounds[string]>(rounds)) {
    const visit = await Visit.start(browser, round);
    try {
      await round.run(visit);
      assert.deepEqual(visit.complaints, [], 'the browser has nothing to complain about');
      console.log(`ok   ${title}`);
    } catch (error) {
      failed += 1;
      await visit.picture('failed');
      console.log(`FAIL ${title}\n${error instanceof Error ? error.stack : error}`);
    } finally {
      await visit.end();
    }
  }
} finally {
  await browser.close();
}
console.log(`${Object.keys(rounds).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
