import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BIN, CliFolder, runCli } from './cli-fixtures/run-cli.ts';

const isBuilt = existsSync(new URL('../../dist/cli/main.js', import.meta.url));

test.skipIf(!isBuilt)(
  'the installed program runs the tools that init writes, on its own copy of tau (skipped where nothing is built)',
  async () => {
    using folder = new CliFolder();
    expect(await runCli(folder, ['init'], '', {}, BIN)).toMatchObject({ err: '', code: 0 });
    const lines = 'roll the dice\nsend_mail to="a@example.com" text="hi"\ny\n';
    const { out, err, code } = await runCli(folder, ['chat'], lines, {}, BIN);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toMatch(/roll_dice answered: [1-6], [1-6]\n/);
    expect(folder.read('outbox.txt')).toBe('To: a@example.com\nhi\n\n');
    expect(await runCli(folder, ['srve'], '', {}, BIN)).toMatchObject({ out: '', code: 2 });
  },
);
