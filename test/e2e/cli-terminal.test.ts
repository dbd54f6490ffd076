import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { PtyCli } from './cli-fixtures/pty-cli.ts';
import { CliFolder } from './cli-fixtures/run-cli.ts';

const CHAT = ['chat', '--demo'];
const PROMPT = '> ';
const ASKED = 'Approve? [y/N]';
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';

/** Long enough for something to happen that must not happen. */
const A_WHILE = 600;

describe('a conversation at a terminal', () => {
  test('[P12, G19] a spinner turns while the model thinks and stands still while a question is open', async () => {
    using folder = new CliFolder();
    using cli = new PtyCli(folder, CHAT);
    await cli.sees(PROMPT);
    cli.type('unlock the front door\r');
    const asked = await cli.sees(ASKED);
    expect(cli.text.slice(0, asked)).toMatch(SPINNER);
    await delay(3 * A_WHILE);
    expect(cli.text.slice(asked)).not.toMatch(SPINNER);
    cli.type('y\r');
    const ran = await cli.sees('✓ unlock_door', asked);
    // Had it turned unseen, all its pictures would come at once now.
    expect(cli.text.slice(asked, ran).match(/thinking/g)?.length ?? 0).toBeLessThan(10);
    await cli.sees('The front door is now unlocked.', asked);
    cli.type(CTRL_D);
    expect(await cli.ended()).toBe(0);
    expect(folder.ran()).toEqual(['unlock_door {"door":"front"}']);
  });

  test('[G10, G20] silence until the time limit is a no, and what is typed next goes to the chat', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[agent]\ntimeout_seconds = 0.5');
    using cli = new PtyCli(folder, CHAT);
    await cli.sees(PROMPT);
    cli.type('unlock the front door\r');
    await cli.sees(ASKED);
    const refused = await cli.sees('I did not unlock the front door: it was not approved.');
    expect(cli.text).toContain('✗ unlock_door {"door":"front"} · tier 2 · no answer in time, not run');
    await cli.sees(PROMPT, refused);
    cli.type('y\r');
    await cli.sees('I did not understand that.', refused);
    cli.type('/quit\r');
    expect(await cli.ended()).toBe(0);
    expect(folder.ran()).toEqual([]);
  });

  test('[P11] what is typed while the model thinks does not approve', async () => {
    using folder = new CliFolder();
    using cli = new PtyCli(folder, CHAT);
    await cli.sees(PROMPT);
    cli.type('unlock the front door\r');
    cli.type('y\ry\r');
    await cli.sees(ASKED);
    await delay(A_WHILE);
    expect(folder.ran()).toEqual([]);
    cli.type('n\r');
    await cli.sees('I did not unlock the front door: it was not approved.');
    expect(folder.ran()).toEqual([]);
  });
});

describe('Ctrl-C', () => {
  test('[S11] cancels the turn: what had not started never runs, and the conversation goes on', async () => {
    using folder = new CliFolder();
    using cli = new PtyCli(folder, CHAT);
    await cli.sees(PROMPT);
    cli.type("what's the temperature and note it down\r");
    await cli.sees('✓ read_thermostat');
    cli.type(CTRL_C);
    const cancelled = await cli.sees('Cancelled.');
    await delay(A_WHILE);
    expect(folder.ran()).toEqual(['read_thermostat {}']);
    await cli.sees(PROMPT, cancelled);
    cli.type('is the front door locked?\r');
    await cli.sees('The front door is locked.', cancelled);
    expect(folder.ran()).toEqual(['read_thermostat {}', 'read_lock {"door":"front"}']);
  });

  test('[G19] at a question is a no, at the prompt it quits', async () => {
    using folder = new CliFolder();
    using cli = new PtyCli(folder, CHAT);
    await cli.sees(PROMPT);
    cli.type('unlock the front door\r');
    await cli.sees(ASKED);
    cli.type(CTRL_C);
    const refused = await cli.sees('I did not unlock the front door: it was not approved.');
    await cli.sees(PROMPT, refused);
    cli.type(CTRL_C);
    expect(await cli.ended()).toBe(130);
    expect(folder.ran()).toEqual([]);
  });

  test('twice quits, even while a tool hangs', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[model]\nprovider = "demo"\n[tools]\nmodules = ["./hang.ts"]');
    folder.write(
      'hang.ts',
      `import { tauTool } from 'strands-tau/strands';
export default tauTool({
  name: 'hang', description: 'Never ends.', inputSchema: { type: 'object' }, tier: 0,
  callback: async () => { console.log('hanging'); setInterval(() => undefined, 1000); await new Promise(() => undefined); },
});`,
    );
    using cli = new PtyCli(folder, ['chat']);
    await cli.sees(PROMPT);
    cli.type('hang\r');
    await cli.sees('hanging');
    cli.type(CTRL_C);
    await cli.sees('Ctrl-C again quits.');
    cli.type(CTRL_C);
    expect(await cli.ended()).toBe(130);
  });
});
