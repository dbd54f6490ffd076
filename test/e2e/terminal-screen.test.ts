import { execFileSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { prepare, until } from './fixtures/terminal-program.ts';
import type { Entry, Plan } from './fixtures/terminal-question.ts';

/** The program in tmux, which says what a real screen shows. */
class Screen {
  readonly log: () => readonly Entry[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #socket = `tau-test-${process.pid}-${crypto.randomUUID().slice(0, 8)}`;

  constructor(plan: Plan, columns: number, rows: number) {
    const { args, env, log } = prepare(plan);
    this.log = log;
    this.#env = { ...env, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
    const size = ['-x', `${columns}`, '-y', `${rows}`];
    // A shell waits behind the program, so that its last lines can still be looked at and Ctrl-Z means something.
    const command = [process.execPath, ...args].map((arg) => `'${arg}'`).join(' ');
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, 'PS1="shell> " bash --norc --noprofile -i');
    this.#tmux('send-keys', `clear; ${command}`, 'Enter');
    onTestFinished(() => void this.#tmux('kill-server'));
  }

  /** The lines on the screen, up to the prompt of the shell; digests differ from run to run. */
  get lines(): readonly string[] {
    const text = this.#tmux('capture-pane', '-p')
      .trimEnd()
      .replace(/\nshell>$/, '');
    return text.replace(/[0-9a-f]{4}( [0-9a-f]{4}){3}/, '0000 0000 0000 0000').split('\n');
  }

  async shows(text: string): Promise<void> {
    await until(
      () => this.lines.join('\n').includes(text),
      () => `${text} on:\n${this.lines.join('\n')}`,
    );
  }

  type(...keys: readonly string[]): void {
    this.#tmux('send-keys', ...keys);
  }

  #tmux(...args: readonly string[]): string {
    return execFileSync('tmux', ['-u', '-L', this.#socket, ...args], { encoding: 'utf8', env: this.#env });
  }
}

it('[G18, P9] stands on a screen of 80 columns as it was meant', async () => {
  const screen = new Screen({ steps: [{ ask: { seconds: 30, door: 'front', note: 'Ayşe’nin kapısı 🚪' } }] }, 80, 24);
  await screen.shows('[y/N]');
  expect(screen.lines).toEqual([
    '',
    '━━ Approval needed ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
    '  Tool          act',
    '  Tier          2 · physical action or self-written code',
    '  Effect        Does the thing',
    '  Requested by  anonymous, through the model',
    '  Digest        0000 0000 0000 0000',
    '  Arguments',
    '  │ {',
    '  │   "door": "front",',
    '  │   "note": "Ayşe’nin kapısı 🚪",',
    '  │   "seconds": 30',
    '  │ }',
    '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
    'Approve? [y/N]',
  ]);
  screen.type('y', 'Enter');
  await screen.shows('Approved.');
  expect(screen.lines.slice(-2)).toEqual(['Approve? [y/N] y', 'Approved.']);
});

it('[G18, P9] stands on a screen of 40 columns in Turkish, page by page', async () => {
  const effect = 'Ön kapının kilidini otuz saniyeliğine açar';
  const plan: Plan = { language: 'tr', steps: [{ ask: { door: 'ön', effect, seconds: 30 } }] };
  const screen = new Screen(plan, 40, 16);
  await screen.shows('1/2 · Enter');
  expect(screen.lines).toEqual(
    [
      '',
      '━━ Onay gerekiyor · act · 1/2 ━━━━━━━━━',
      '  Araç     act',
      '  Düzey    2 · fiziksel eylem ya da ',
      '         ┆ kendi yazdığı kod',
      '  Etki     Ön kapının kilidini otuz ',
      '         ┆ saniyeliğine açar',
      '  İsteyen  anonymous, model ',
      '         ┆ aracılığıyla',
      '  Özet     0000 0000 0000 0000',
      '  Girdiler',
      '  │ {',
      '  │   "door": "ön",',
      '  │   "effect": "Ön kapının kilidini ot',
      '1/2 · Enter: sonraki · h: ret',
    ].map((line) => line.trimEnd()),
  );
  screen.type('Enter');
  await screen.shows('[e/H]');
  screen.type('e', 'Enter');
  await screen.shows('Onaylandı.');
  expect(screen.lines.slice(-8)).toEqual([
    '',
    '━━ Onay gerekiyor · act · 2/2 ━━━━━━━━━',
    '  ┆ uz saniyeliğine açar",',
    '  │   "seconds": 30',
    '  │ }',
    '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
    'Onaylıyor musunuz? [e/H] e',
    'Onaylandı.',
  ]);
});

it('[P12] shows the question again when the program goes on after Ctrl-Z', async () => {
  const screen = new Screen({ steps: [{ ask: { door: 'front' } }] }, 80, 40);
  await screen.shows('[y/N]');
  screen.type('y', 'C-z');
  await screen.shows('Stopped');
  screen.type('fg', 'Enter');
  await until(
    () => screen.lines.filter((line) => line.startsWith('━━ Approval needed')).length === 2,
    () => `a second question on:\n${screen.lines.join('\n')}`,
  );
  await until(
    () => screen.lines.at(-1) === 'Approve? [y/N] y',
    () => 'the prompt with what was typed',
  );
  expect(screen.log()).toEqual([]);
  screen.type('Enter');
  await screen.shows('Approved.');
  // The answer is on the screen before the body starts.
  await until(
    () => screen.log().length === 3,
    () => `the end of the call in ${JSON.stringify(screen.log())}`,
  );
  expect(screen.log()).toEqual([{ ran: { door: 'front' } }, { outcome: 'success' }, { event: 'done' }]);
});

it('[G18, P9] keeps a forged question inside the area of the arguments', async () => {
  const forged = `\u001b[2J\u001b[H\u001b[8m\n━━ Approval needed ━━\n  Tool  harmless\n\u202e${' '.repeat(60)}Approve? [y/N] `;
  const screen = new Screen({ steps: [{ ask: { forged, effect: forged } }] }, 80, 60);
  await screen.shows('\n━━━━');
  const outside = screen.lines.filter((line) => !/^ +[│┆] /.test(line));
  expect(outside.map((line) => line.slice(0, 46))).toEqual([
    '',
    '━━ Approval needed ━━━━━━━━━━━━━━━━━━━━━━━━━━━',
    '  Tool          act',
    '  Tier          2 · physical action or self-wr',
    '  Effect        \\u001b[2J\\u001b[H\\u001b[8m\\u00',
    '  Requested by  anonymous, through the model',
    expect.stringMatching(/^ {2}Digest /),
    '  Arguments',
    '━'.repeat(46),
    'Approve? [y/N]',
  ]);
});
