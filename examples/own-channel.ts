// A channel of your own: a pager, to which short texts can be sent and from which short texts come back. An inbox asks on
// it and on everything else at once; the first answer wins, and the others are told who gave it.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import {
  type ApprovalRecord,
  type Channel,
  type Delivery,
  digestJson,
  escapeText,
  Inbox,
  type Shown,
  showJson,
} from 'strands-tau';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedChannel, ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';

/** What the pager's service offers: sends a text, emits `text` for one that came back. */
class PagerService extends EventEmitter {
  readonly sent: string[] = [];

  async send(text: string): Promise<void> {
    this.sent.push(text);
    this.emit('sent', text);
  }
}

class PagerChannel implements Channel {
  readonly name = 'pager';
  readonly timeoutSeconds = 300;
  readonly #service: PagerService;
  readonly #owner = { id: 'ada', kind: 'person' } as const;
  readonly #open = new Map<string, { delivery: Delivery; shownDigest: string }>();

  constructor(service: PagerService) {
    this.#service = service;
    service.on('text', (text: string) => void this.#answer(text));
  }

  reaches({ mayDecide }: Pick<Delivery, 'mayDecide'>): boolean {
    return mayDecide(this.#owner);
  }

  async deliver(delivery: Delivery): Promise<Shown> {
    const { id, tool, effect, arguments: args, origin } = delivery.request;
    const code = id.slice(0, 8);
    // escapeText and showJson make text of a model harmless; the bar keeps it apart from the pager's own words.
    const text = [
      `${escapeText(tool)}, asked by ${escapeText(origin.principal?.id ?? 'somebody')}: ${escapeText(effect)}`,
      ...showJson(args).map((line) => `| ${line}`),
      `Answer "yes ${code}" or "no ${code}" and why.`,
    ].join('\n');
    if (text.length > 1000) throw new Error('too long for a pager');
    const shownDigest = digestJson(text);
    await this.#service.send(text);
    if (!delivery.signal.aborted) this.#open.set(code, { delivery, shownDigest });
    return { shownDigest };
  }

  async close({ id, decision }: ApprovalRecord): Promise<void> {
    const code = id.slice(0, 8);
    if (!this.#open.delete(code)) return;
    const by = decision === undefined ? 'nobody' : escapeText(decision.by.id);
    await this.#service.send(`${code}: ${decision?.decision ?? 'withdrawn'} by ${by}`);
  }

  async #answer(text: string): Promise<void> {
    const [word, code = '', ...why] = text.trim().split(/\s+/);
    const question = this.#open.get(code);
    if (question === undefined) return;
    const { delivery, shownDigest } = question;
    const decision = word === 'yes' ? 'approved' : 'rejected';
    const { digest } = delivery.request;
    const answer = { decision, by: this.#owner, digest, shownDigest, reason: why.join(' ') } as const;
    // Rejects when nothing could be recorded: then nothing was decided either.
    const result = await delivery.answer(answer).catch(() => ({ status: 'not_recorded' }));
    if (result.status !== 'decided') await this.#service.send(`${code}: your answer does not count, ${result.status}`);
  }
}

const ada = { id: 'ada', kind: 'person' } as const;
const service = new PagerService();
const page = new ScriptedChannel({ name: 'page', person: ada });
const watered: number[] = [];
const water = (litres: number) => [{ toolUse: { name: 'water_garden', input: { litres } } }];

const agent = await buildAgent({
  model: new ScriptedModel([water(20), water(500), water(30), [{ text: 'Done.' }]]),
  tools: [
    tauTool({
      name: 'water_garden',
      description: 'Waters the garden.',
      inputSchema: z.object({ litres: z.number().positive() }),
      tier: 2,
      effect: 'Opens the garden valve.',
      callback: ({ litres }) => void watered.push(litres),
    }),
  ],
  approver: new Inbox({ channels: [new PagerChannel(service), page] }),
  logger: { debug() {}, info() {}, warn() {}, error() {} },
});

// Ada answers the first two on her pager, and the third on the page.
service.on('sent', (text: string) => {
  const code = /"yes (\w+)"/.exec(text)?.[1];
  if (code === undefined) return;
  if (text.includes('"litres": 500')) setTimeout(() => service.emit('text', `no ${code} that is a flood`), 10);
  else if (text.includes('"litres": 20\n')) setTimeout(() => service.emit('text', `yes ${code}`), 10);
  else setTimeout(() => void page.answer(page.open[0] ?? '', { decision: 'approved' }), 10);
});

const outcomes: string[] = [];
for await (const event of agent.stream('water the garden', { principal: ada })) {
  if (event.type === 'tool_call') outcomes.push(event.call.approval);
}

console.log(service.sent.join('\n'));
assert.deepEqual(outcomes, ['approved', 'rejected', 'approved']);
assert.deepEqual(watered, [20, 30], 'only what was approved has run');
assert.match(service.sent.at(-1) ?? '', /: approved by ada$/, 'the pager is told what was decided on the page');
const places = page.closed.map(({ decision }) => decision?.channel);
assert.deepEqual(places, ['pager', 'pager', 'page'], 'the page is told what was decided on the pager');
