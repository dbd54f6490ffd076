import { existsSync } from 'node:fs';

/** Where Debian's package puts the browser; another one can be named. */
export const CHROMIUM: string = process.env.TAU_TEST_CHROMIUM ?? '/usr/bin/chromium';

/** Whether it is there. */
export const hasBrowser: boolean = existsSync(CHROMIUM);
