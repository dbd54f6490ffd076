import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { Inbox, ServedChannel } from 'strands-tau';
import { TerminalChannel } from 'strands-tau/channels/terminal';
import { expect, test, vi } from 'vitest';
import { BIN, CliFolder, runCli } from '../e2e/cli-fixtures/run-cli.ts';
import { DONE, unlock, until } from '../support/strands.ts';
import { ADA, type Body, type Running, startHub } from './support/hub.ts';

// Programs start slowly on a machine that is busy.
vi.setConfig({ testTimeout: 240_000 });

const PROGRAMS = 4;
const REQUESTS = 95;

/** What a terminal says at the end of a question. */
const ENDED = /(?<verb>Approved|Rejected)(?:\.| elsewhere: by (?<by>\w+) through (?<channel>\w+) at)/;

type Decision = 'approved' | 'rejected';

/** How one answer ended: who, it was told, decided what and where; and whether it was this one that did. */
interface Told {
  readonly won: boolean;
  readonly decision: unknown;
  readonly by: unknown;
  readonly channel: unknown;
}

/** A pipe with Ada at its end. */
class Terminal {
  readonly input: PassThrough = new PassThrough();
  readonly #output: PassThrough = new PassThrough();
  readonly channel: TerminalChannel = new TerminalChannel({ person: ADA, input: this.input, output: this.#output });
  text = '';

  constructor() {
    this.#output.on('data', (chunk: Buffer) => {
      this.text += stripVTControlCharacters(chunk.toString());
    });
  }

  async answer(decision: Decision): Promise<Told> {
    this.input.write(decision === 'approved' ? 'y\n' : 'n\n');
    await until(() => ENDED.test(this.text));
    const { verb = '', by = 'ada', channel } = ENDED.exec(this.text)?.groups ?? {};
    return { won: channel === undefined, decision: verb.toLowerCase(), by, channel: channel ?? 'terminal' };
  }
}

function told(status: number, { approval }: Body): Told {
  const { decision, by, channel } = approval.decision;
  return { won: status === 200, decision, by: by.id, channel };
}

async function cookieOf({ hub, url }: Running): Promise<string> {
  const { code } = await hub.loginLinks.create('ada');
  const headers = { 'content-type': 'application/json', origin: url };
  const response = await fetch(`${url}/login`, { method: 'POST', headers, body: JSON.stringify({ code }) });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** `tau approvals` as a process that finds this hub. */
async function typed(folder: CliFolder, { id, digest }: Body, decision: Decision): Promise<Told> {
  const verb = decision === 'approved' ? 'approve' : 'reject';
  const { out, err, code } = await runCli(folder, ['approvals', verb, id, '--digest', digest, '--json'], '', {}, BIN);
  expect([err, [0, 3].includes(code ?? -1)]).toEqual(['', true]);
  return told(code === 0 ? 200 : 409, JSON.parse(out));
}

test.each([
  ['a hundred times yes', () => 'approved'],
  ['yes and no in turn', (index) => (index % 2 === 0 ? 'approved' : 'rejected')],
] satisfies [string, (index: number) => Decision][])(
  '[P6, P15, P17, P2] one question, answered at once on page, API, command line and terminal: %s',
  async (_name, wish) => {
    const terminal = new Terminal();
    const served = new ServedChannel({ name: 'hub', reaches: ({ mayDecide }) => mayDecide(ADA) });
    let programs = 0;
    const hub = await startHub([[unlock('front', 'c1')], DONE], {
      approver: new Inbox({ channels: [served, terminal.channel], waits: false }),
      hub: {
        // Each program reads the question before it answers; then everybody answers.
        auth: ({ headers, method }) => {
          if (headers.get('x-tau-client') === 'cli' && method === 'GET') programs += 1;
          return undefined;
        },
      },
    });
    const token = await hub.token();
    const cookie = await cookieOf(hub);
    await hub.run(token);
    const question = await hub.question(token);
    await until(() => terminal.text.includes('Approve? [y/N]'));
    using folder = new CliFolder();
    const address = { url: hub.url, pid: process.pid, key: hub.hub.proofKey };
    folder.write('.tau/hub.json', JSON.stringify(address));
    folder.write('.tau/token', token);
    for (const file of ['hub.json', 'token']) chmodSync(join(folder.path, '.tau', file), 0o600);

    const answers = Array.from({ length: PROGRAMS }, (_, index) => typed(folder, question, wish(index)));
    await expect.poll(() => programs, { timeout: 100_000 }).toBe(PROGRAMS);
    const { id, digest } = question;
    for (let index = 0; index < REQUESTS; index += 1) {
      const body = { decision: wish(index), digest };
      const how = index % 2 === 0 ? { token } : { headers: { cookie, origin: hub.url } };
      const reply = hub.send(`/api/approvals/${id}/decision`, { ...how, body });
      answers.push(reply.then(({ status, body: answer }) => told(status, answer)));
    }
    answers.push(terminal.answer(wish(0)));

    const all = await Promise.all(answers);
    const [winner, ...others] = all.filter(({ won }) => won);
    expect([all.length, others]).toEqual([100, []]);
    const { decision, by, channel } = winner ?? {};
    expect(by).toBe('ada');
    expect(all.filter(({ won }) => !won)).toEqual(Array(99).fill({ won: false, decision, by, channel }));
    await until(() => hub.model.calls.length === 2);
    expect(hub.started()).toEqual(decision === 'approved' ? ['unlock_door {"door":"front"}'] : []);
    terminal.channel.session.close();
  },
);
