import { describe, expect, test } from 'vitest';
import { CliFolder, runCli } from './cli-fixtures/run-cli.ts';

const CHAT = ['chat', '--demo'];

describe('a conversation through a pipe', () => {
  test('[P12, G19] a yes on the next line runs the tool that was shown, with these arguments', async () => {
    using folder = new CliFolder();
    const { out, err, code } = await runCli(folder, CHAT, 'unlock the front door\ny\n');
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toMatch(/Approval needed[\s\S]*unlock_door[\s\S]*Unlocks the front door\.[\s\S]*"door": "front"/);
    expect(out).toContain('✓ unlock_door {"door":"front"} · tier 2 · approved, ok');
    expect(out).toContain('The front door is now unlocked.');
    expect(folder.ran()).toEqual(['unlock_door {"door":"front"}']);
  });

  test('[P12, P11, G19] only a yes runs: EVET does, n, a longer sentence and the end of input do not', async () => {
    using folder = new CliFolder();
    const lines = [
      'unlock the front door\nn\n',
      'unlock the back door\nEVET\n',
      'run `rm -rf /`\nyes please\n',
      'delete the notes\n\n',
      'lock the front door\n',
    ];
    const { out, code } = await runCli(folder, CHAT, lines.join(''));
    expect(code).toBe(0);
    expect(folder.ran()).toEqual(['unlock_door {"door":"back"}']);
    expect(out).toContain('I did not unlock the front door: it was not approved.');
    expect(out).toContain('The back door is now unlocked.');
    expect(out).toContain('I did not run `rm -rf /`: it was not approved.');
    expect(out).toContain('I did not delete the notes: it was not approved.');
    expect(out).toContain('I did not lock the front door: it was not approved.');
  });

  test('[P12] a yes without its line break, cut off by the end of input, is no yes', async () => {
    using folder = new CliFolder();
    const { out, code } = await runCli(folder, CHAT, 'unlock the front door\ny');
    expect(code).toBe(0);
    expect(folder.ran()).toEqual([]);
    expect(out).toContain('I did not unlock the front door: it was not approved.');
  });

  test('[G10] silence until the time limit is a no, and the conversation goes on', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[agent]\ntimeout_seconds = 0.4');
    const script: readonly (readonly [after: string, next: string | null])[] = [
      ['', 'unlock the front door\n'],
      ['I did not unlock', 'is the front door locked?\n'],
      ['is locked.', null],
    ];
    const steps = script.values();
    let [after, next] = steps.next().value ?? ['', null];
    const { out, code } = await runCli(folder, CHAT, (printed) => {
      if (!printed.includes(after)) return undefined;
      const say = next;
      [after, next] = steps.next().value ?? ['', null];
      return say;
    });
    expect(code).toBe(0);
    expect(out).toContain('✗ unlock_door {"door":"front"} · tier 2 · no answer in time, not run');
    expect(out).toContain('I did not unlock the front door: it was not approved.');
    expect(folder.ran()).toEqual(['read_lock {"door":"front"}']);
  });

  test('[G17] in Turkish everything is Turkish, and what was said before is remembered', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[ui]\nlanguage = "tr"');
    const { out, code } = await runCli(folder, CHAT, 'kapıyı aç\narkadaki\nevet\n/tools\n/tolls\nnotları sil\nh\n');
    expect(code).toBe(0);
    expect(out).toContain('Hangi kapının kilidini açayım: ön mü, arka mı?');
    expect(out).toContain('Arka kapının kilidini açar. Herkes içeri girebilir.');
    expect(out).toContain('✓ unlock_door {"door":"back"} · düzey 2 · onaylandı, tamam');
    expect(out).toContain('Arka kapı artık kilitli değil.');
    expect(out).toMatch(/run_shell +2 bir kişiye sorar +Bu komutu demo dünyasının uydurma kabuğunda çalıştırır/);
    expect(out).toContain("'/tolls' diye bir komut yok. Şunu mu demek istediniz: '/tools'?");
    expect(out).toContain('Notları silmedim: onay verilmedi.');
    expect(folder.ran()).toEqual(['unlock_door {"door":"back"}']);
  });

  test('[G18] text of a stranger cannot drive the terminal, in a question, a tool line or an answer', async () => {
    using folder = new CliFolder();
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202e';
    const { out } = await runCli(folder, CHAT, `note: ${hostile}\nrun echo ${hostile}\ny\n${hostile}\n`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for exactly those.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out).toContain('\\u001b[2J');
    expect(folder.ran()).toHaveLength(2);
  });

  test('[G16] the log is a file of JSON lines that hides what it is told to hide, and never the screen', async () => {
    using folder = new CliFolder();
    folder.write('tau.toml', '[log]\nredact = ["text"]\nfile = "logs/all.log"');
    const { out, err } = await runCli(
      folder,
      CHAT,
      'note: my secret is Rosebud\nis the front door locked?\nlock the front door\nn\n',
    );
    const log = folder.read('logs/all.log');
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ msg, tool }) => `${msg} ${tool}`)).toEqual([
      'tool_call add_note',
      'approval lock_door',
      'tool_call lock_door',
    ]);
    expect(JSON.stringify(lines[0].arguments)).not.toContain('Rosebud');
    expect(out + err).not.toContain('"msg"');
  });

  test('a demo world that cannot be read is set aside, and that is said', async () => {
    using folder = new CliFolder();
    await runCli(folder, CHAT, 'note: one\n');
    folder.write('.tau/demo/world.json', '{"broken');
    const { out, code } = await runCli(folder, CHAT, 'show my notes\n');
    expect(code).toBe(0);
    expect(out).toMatch(/The demo world could not be read \(.*\)\. It was set aside as .*world\.json\.bak/);
    expect(out).toContain('There are no notes.');
    expect(folder.read('.tau/demo/world.json.bak')).toBe('{"broken');
  });
});
