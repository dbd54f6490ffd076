import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { catalogOf, TOOLS, unlock, type World, worldOf } from '../../../test/gate-fixture.ts';
import { until } from '../../../test/support/strands.ts';
import { messageTable } from '../../core/i18n.ts';
import { Inbox } from '../../core/inbox.ts';
import type { TierGateOptions } from '../../core/options.ts';
import { type ChannelDriver, channelContract, ScriptedChannel } from '../../testing/index.ts';
import { TerminalChannel, type TerminalChannelOptions } from './terminal-channel.ts';

const ada = { id: 'ada', kind: 'person' } as const;
const grace = { id: 'grace', kind: 'person' } as const;
const PROMPT = 'Approve? [y/N] ';
const NEXT_PAGE = /Page \d+ of \d+\. Enter for the next page, n to reject $/;

/** A terminal made of streams, with somebody who looks at it. */
class Person {
  readonly input: PassThrough;
  readonly output: PassThrough = new PassThrough();
  printed = '';

  /** @param keys - Whether somebody types at it, rather than a pipe; they turn every page. */
  constructor(keys: boolean) {
    this.input = Object.assign(new PassThrough(), keys ? { isTTY: true, setRawMode: (): void => undefined } : {});
    this.output.on('data', (chunk: Buffer) => {
      this.printed += chunk.toString();
      if (keys && NEXT_PAGE.test(this.text)) setImmediate(() => this.input.write('\r'));
    });
  }

  get text(): string {
    return stripVTControlCharacters(this.printed).replaceAll('\r', '');
  }

  /** Waits for a question, and types a line while it is open. */
  async type(digest: string, line: string): Promise<void> {
    const short = digest.slice(0, 16).replace(/.{4}(?=.)/g, '$& ');
    for (let i = 0; i < 400 && !this.text.includes(short); i++) await new Promise((done) => setTimeout(done, 5));
    if (this.text.trimEnd().endsWith(PROMPT.trimEnd()))
      this.input.write(`${line}${'isTTY' in this.input ? '\r' : '\n'}`);
  }
}

const people = new WeakMap<TerminalChannel, Person>();

function personAt(channel: TerminalChannel): Person {
  return people.get(channel) ?? expect.fail('nobody sits there');
}

function terminal(keys: boolean, options: Partial<TerminalChannelOptions> = {}): TerminalChannel {
  const person = new Person(keys);
  const channel = new TerminalChannel({ person: ada, input: person.input, output: person.output, ...options });
  people.set(channel, person);
  return channel;
}

const driver: ChannelDriver<TerminalChannel> = {
  person: ada,
  reasons: true,
  seen: (channel) => personAt(channel).text,
  joined: (seen) =>
    seen
      .split('\n')
      .filter((line) => /^ {2}/.test(line))
      .join('\n')
      .replace(/\n {2,14}┆ /g, ''),
  answer: (channel, { digest }, { decision, reason }) => {
    const no = reason === undefined ? 'n' : `n ${reason}`;
    return personAt(channel).type(digest, decision === 'approved' ? 'y' : no);
  },
  end: (channel) => channel.session.close(),
};

describe('[P6, P8, P9, P11, P12] a terminal as a channel', () => {
  channelContract('TerminalChannel at a pipe', () => terminal(false), driver, { describe, it });
  channelContract('TerminalChannel at a terminal', () => terminal(true), driver, { describe, it });
});

/** A gate that asks at a terminal, and starts a call whose question is up. */
async function asked(
  channel: TerminalChannel,
  options: Partial<TierGateOptions> = {},
): Promise<{
  readonly w: World<Inbox>;
  readonly outcome: ReturnType<World['gate']['run']>;
  readonly id: string;
}> {
  const policy = { version: '1', sees: () => true, mayDecide: ({ id }: { id: string }) => id !== 'eve' };
  const w = worldOf(new Inbox({ channels: [channel] }), { policy, catalog: catalogOf(TOOLS), ...options });
  const outcome = w.gate.run(unlock('front', { principal: ada }), w.body);
  await until(() => personAt(channel).text.includes(PROMPT));
  return { w, outcome, id: w.approver.open[0] ?? '' };
}

describe('[P12] a question at a terminal', () => {
  it('[P6] that is decided elsewhere says who, where and when, and what was half typed stays for the chat', async () => {
    const channel = terminal(true);
    const { w, outcome, id } = await asked(channel);
    personAt(channel).input.write('y');
    await w.gate.decide(id, { decision: 'approved', by: grace, channel: 'web' });
    await outcome;
    await until(() => personAt(channel).text.includes('Approved elsewhere'));
    expect(personAt(channel).text).toMatch(/Approved elsewhere: by grace through web at \d+:\d\d:\d\d[^\n]*\.\n/);
    const line = channel.session.readLine();
    personAt(channel).input.write('es, hello\r');
    expect(await line).toBe('yes, hello');
    expect(w.ran).toHaveLength(1);
    channel.session.close();
  });

  it.each<
    [string, 'en' | 'tr', (w: World<Inbox>, id: string) => Promise<unknown>, 'replaced' | 'cancelled' | 'timeout']
  >([
    [
      'is edited elsewhere',
      'en',
      (w, id) => w.gate.edit(id, { arguments: { door: 'back' }, by: grace, channel: 'web' }),
      'replaced',
    ],
    ['is withdrawn', 'tr', (w, id) => w.gate.cancel(id, { by: ada, channel: 'web' }), 'cancelled'],
    ['times out', 'en', (w) => w.clock.advance(60_000), 'timeout'],
  ])('[P6] that %s says so', async (_how, language, end, key) => {
    const channel = terminal(false, { language });
    const person = personAt(channel);
    const w = worldOf(new Inbox({ channels: [channel] }), {
      policy: { version: '1', sees: () => true, mayDecide: () => true },
      timeoutSeconds: 60,
    });
    const outcome = w.gate.run(unlock('front', { principal: ada }), w.body);
    await until(() => person.text.includes(messageTable(language)['approval.question']));
    await end(w, w.approver.open[0] ?? '');
    await outcome;
    await until(() => person.text.includes(messageTable(language)[`approval.${key}`]));
  });

  it('is rejected by the end of the input, and by Ctrl-C', async () => {
    const piped = terminal(false);
    const first = await asked(piped);
    personAt(piped).input.end();
    expect(await first.outcome).toMatchObject({ refusal: { reason: 'rejected' } });
    const typed = terminal(true);
    const second = await asked(typed);
    personAt(typed).input.write('\u0003');
    expect(await second.outcome).toMatchObject({ refusal: { reason: 'rejected' } });
    typed.session.close();
  });

  it('[P11] is not answered by what was typed before it was shown', async () => {
    const channel = terminal(true);
    const chat = channel.session.readLine({ signal: AbortSignal.timeout(5000) });
    chat.catch(() => undefined);
    personAt(channel).input.write('y');
    const { w, outcome, id } = await asked(channel);
    await new Promise((done) => setTimeout(done, 150));
    expect((await w.gate.store.get(id))?.status).toBe('pending');
    personAt(channel).input.write('n\r');
    expect(await outcome).toMatchObject({ refusal: { reason: 'rejected' } });
    channel.session.close();
  });

  it('[P10] a no carries what follows it; every other line is a no without a reason', async () => {
    for (const [line, reason] of [
      ['n the cat is out', 'the cat is out'],
      ['  HAYIR  kedi  ', 'kedi'],
      ['hayır kedi dışarıda', 'kedi dışarıda'],
      ['no\tway', 'way'],
      ['n', undefined],
      ['n   ', undefined],
      ['y because I say so', undefined],
      ['never mind', undefined],
    ] as const) {
      const channel = terminal(false);
      const { w, outcome, id } = await asked(channel);
      personAt(channel).input.write(`${line}\n`);
      expect(await outcome).toMatchObject({ refusal: { reason: 'rejected' } });
      const { decision } = (await w.gate.store.get(id)) ?? expect.fail();
      expect([line, decision?.decision, decision?.reason]).toEqual([line, 'rejected', reason]);
    }
  });

  it('[P8] that is too long is not delivered there, so that another channel can ask it', async () => {
    const channel = terminal(false);
    const other = new ScriptedChannel({ name: 'page', person: ada, script: [{ decision: 'approved' }] });
    const w = worldOf(new Inbox({ channels: [channel, other] }));
    const call = { ...unlock('x'.repeat(300_000), { principal: ada }) };
    expect(await w.gate.run(call, w.body)).toMatchObject({ status: 'success' });
    const [record] = (await w.gate.store.list()).records;
    expect(record?.deliveries).toMatchObject([
      { channel: 'terminal', delivered: false },
      { channel: 'page', delivered: true },
    ]);
  });

  it('[P6] a terminal that is gone rejects nothing: the others are still asked', async () => {
    const channel = terminal(false);
    personAt(channel).output.destroy();
    const other = new ScriptedChannel({ name: 'page', person: ada, script: ['silent'] });
    const w = worldOf(new Inbox({ channels: [channel, other] }));
    const outcome = w.gate.run(unlock('front', { principal: ada }), w.body);
    await until(() => other.open.length > 0);
    await other.answer(other.open[0] ?? '', { decision: 'approved' });
    expect(await outcome).toMatchObject({ status: 'success' });
  });
});
