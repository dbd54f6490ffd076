import type { Browser, Locator, Page } from 'playwright-core';
import type { Deed } from '../server/house.ts';
import { type Served, serveHouse } from '../server/serve.ts';

/** How a visit is set up. */
export interface VisitOptions {
  readonly timeoutSeconds?: number;
  readonly width?: number;
  readonly height?: number;
  /** The browser is made to fail, and will say so. */
  readonly failing?: boolean;
}

/** One person at one page of a server of its own. */
export class Visit {
  readonly page: Page;
  readonly #served: Served;
  /** Errors on the page, and requests to anybody but its own server. */
  readonly complaints: string[] = [];

  private constructor(page: Page, served: Served, { failing = false }: VisitOptions) {
    this.page = page;
    this.#served = served;
    page.setDefaultTimeout(15_000);
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !failing) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      if (protocol !== 'data:' && `${origin}/` !== served.url) this.complaints.push(`request to ${origin}`);
    });
  }

  static async start(browser: Browser, options: VisitOptions): Promise<Visit> {
    const served = await serveHouse({ port: 0, timeoutSeconds: options.timeoutSeconds ?? 300 });
    const { width = 1120, height = 860 } = options;
    const page = await browser.newPage({ viewport: { width, height } });
    const visit = new Visit(page, served, options);
    await page.goto(served.url);
    return visit;
  }

  /** Every body that ran, in order; told by the house itself. */
  get deeds(): readonly Deed[] {
    return this.#served.house.state.deeds;
  }

  /** Loses one request to the agent, on the way there or, when it has been answered, on the way back. */
  async loseOne(way: 'there' | 'back'): Promise<void> {
    await this.page.route(
      '**/agent',
      async (route) => {
        if (way === 'back') await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
  }

  /** The same person says no on another channel. */
  async rejectElsewhere(): Promise<void> {
    const { gate } = this.#served;
    const { records } = await gate.store.list({ status: 'pending' });
    for (const { request } of records) {
      await gate.decide(request.id, {
        decision: 'rejected',
        by: { id: 'ada', kind: 'person' },
        channel: 'terminal',
        digest: request.digest,
      });
    }
  }

  /** The questions on the page. */
  get cards(): Locator {
    return this.page.locator('.card');
  }

  get input(): Locator {
    return this.page.locator('textarea');
  }

  /** One fact on a card, by its name. */
  fact(card: Locator, name: string): Locator {
    return card
      .locator('dl > div')
      .filter({ has: this.page.locator('dt', { hasText: name }) })
      .locator('dd');
  }

  /** A call in the conversation, in a state. */
  call(tool: string, state: 'waiting' | 'running' | 'done' | 'refused' | 'unknown'): Locator {
    return this.page.locator(`.tool-line[data-tool="${tool}"][data-state="${state}"]`);
  }

  async say(text: string): Promise<void> {
    await this.input.fill(text);
    await this.input.press('Enter');
  }

  /** Waits for something that the model said. */
  async hear(text: string): Promise<void> {
    await this.page.locator('[data-message-id], [data-testid="copilot-assistant-message"]').getByText(text).waitFor();
  }

  async picture(name: string): Promise<void> {
    const folder = process.env.SHOTS;
    if (folder === undefined) return;
    // Lets the smooth scrolling to the newest message end.
    await this.page.waitForTimeout(600);
    await this.page.screenshot({ path: `${folder}/${name}.png` });
  }

  async end(): Promise<void> {
    await this.page.close();
    this.#served.close();
  }
}
