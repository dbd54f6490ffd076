import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from './main.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-main-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly out: string;
  readonly err: string;
  readonly code: number;
}

/** Runs a command in a folder of its own, with an empty environment. */
async function tau(argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  stdin.end();
  const code = await main(argv, { stdin, stdout, stderr, env, cwd: folder });
  return { out: read(stdout), err: read(stderr), code };
}

function read(stream: PassThrough): string {
  return stream.read()?.toString() ?? '';
}

/** Whether a package that the SDK leaves to the user is installed here. */
function isInstalled(name: string): boolean {
  return existsSync(new URL(`../../node_modules/${name}`, import.meta.url));
}

test.each([[['--language', 'tr']], [['--language=tr']]])('%j may stand before the command', async (language) => {
  const behind = await tau(['doctor', '--help', ...language]);
  expect(behind.code).toBe(0);
  expect(await tau([...language, 'doctor', '--help'])).toEqual(behind);
  expect(behind).not.toEqual(await tau(['doctor', '--help']));
});

describe('what is typed wrong is named, with what to do, and ends with 2', () => {
  test.each([
    [
      ['sing'],
      "tau: There is no command 'sing'. Available: init, serve, chat, approvals, explain, audit, prune, token, login-link, logout, doctor, help.\n",
    ],
    [
      ['chta'],
      "tau: There is no command 'chta'. Did you mean 'chat'? Available: init, serve, chat, approvals, explain, audit, prune, token, login-link, logout, doctor, help.\n",
    ],
    [
      ['constructor'],
      "tau: There is no command 'constructor'. Available: init, serve, chat, approvals, explain, audit, prune, token, login-link, logout, doctor, help.\n",
    ],
    [
      ['help', 'chatt'],
      "tau: There is no command 'chatt'. Did you mean 'chat'? Available: init, serve, chat, approvals, explain, audit, prune, token, login-link, logout, doctor, help.\n",
    ],
    [
      ['chat', '--dmo'],
      "tau: There is no option '--dmo' here. Did you mean '--demo'? Available: --config, --data, --demo, --language, --help.\n",
    ],
    [
      ['--verson'],
      "tau: There is no option '--verson' here. Did you mean '--version'? Available: --help, --version, --language.\n",
    ],
    [['chat', '--data'], "tau: Option '--data' needs a value: --data DIR.\n"],
    [['chat', '--data', '--demo'], "tau: Option '--data' needs a value: --data DIR.\n"],
    [['chat', '--data='], "tau: Option '--data' needs a value: --data DIR.\n"],
    [['chat', '--demo=yes'], "tau: Option '--demo' takes no value; 'yes' was given.\n"],
    [['chat', '--language', 'de'], "tau: --language is 'de'; give en or tr.\n"],
    [['chat', 'hello'], "tau: 'hello' is one argument too many. Usage: tau chat\n"],
    [['explain'], 'tau: TOOL is missing. Usage: tau explain TOOL [ARGS_JSON]\n'],
    [
      ['chat', '--language=tr', '--x'],
      "tau: Burada '--x' diye bir seçenek yok. Var olanlar: --config, --data, --demo, --language, --help.\n",
    ],
  ])('%j', async (argv, err) => {
    expect(await tau(argv)).toEqual({ out: '', err, code: 2 });
  });

  test('arguments of explain that are no JSON', async () => {
    const { err, code } = await tau(['explain', 'unlock_door', '{door}', '--demo']);
    expect(err).toMatch(
      /^tau: The arguments of the call are not JSON: .* Put them in single quotes: tau explain unlock_door/,
    );
    expect(code).toBe(2);
  });

  test('no command shows what there is', async () => {
    const { err, code } = await tau([]);
    expect(err).toContain('  chat        Talk with the agent');
    expect(code).toBe(2);
  });

  test('a hostile argument cannot act on the terminal', async () => {
    expect((await tau(['\u001b[2J'])).err).toContain("'\\u001b[2J'");
  });
});

describe('what cannot work is named, with what to do, and ends with 1', () => {
  test.each([
    [['chat'], "tau: There is no configuration file tau.toml. 'tau init' writes one; 'tau chat --demo' needs none.\n"],
    [
      ['chat', '--config', 'my.toml'],
      "tau: There is no configuration file my.toml. 'tau init' writes one; 'tau chat --demo' needs none.\n",
    ],
  ])('%j', async (argv, err) => {
    expect(await tau(argv)).toEqual({ out: '', err, code: 1 });
  });

  test.each([
    ['[ui]', 'tau: No model is configured. Add [model] provider = "demo" (or another) to tau.toml, or use --demo.\n'],
    [
      '[model]\nprovider = "openai"',
      'tau: Provider openai needs a key: set the environment variable OPENAI_API_KEY, for example: export OPENAI_API_KEY=…\n',
    ],
    [
      '[model]\nprovider = "google"\napi_key_env = "MY_KEY"',
      'tau: Provider google needs a key: set the environment variable MY_KEY, for example: export MY_KEY=…\n',
    ],
    [
      '[model]\nprovider = "demo"\n[tools]\nmodules = ["./nope.ts"]',
      'tau: [tools] modules: there is no file nope.ts. Paths start from the folder of the configuration file.\n',
    ],
  ])('%j', async (toml, err) => {
    writeFileSync(join(folder, 'tau.toml'), toml);
    expect(await tau(['chat'])).toEqual({ out: '', err, code: 1 });
  });

  const optional = [
    ['openai', 'openai', "npm install 'openai@^6.45.0'"],
    ['anthropic', '@anthropic-ai/sdk', "npm install '@anthropic-ai/sdk@^0.109.1'"],
    ['google', '@google/genai', "npm install '@google/genai@^2.6.0'"],
  ] as const;

  test.each(optional.filter(([, name]) => !isInstalled(name)))(
    'provider %s without its package %s',
    async (provider, name, fix) => {
      writeFileSync(join(folder, 'tau.toml'), `[model]\nprovider = "${provider}"\napi_key_env = "SOME_KEY"`);
      const problem = `tau: Provider ${provider} needs the package ${name}. Install it beside strands-tau: ${fix}\n`;
      expect(await tau(['chat'], { SOME_KEY: 'k' })).toEqual({ out: '', err: problem, code: 1 });
    },
  );

  test('a data folder that is a file', async () => {
    writeFileSync(join(folder, 'data'), '');
    const { err, code } = await tau(['chat', '--demo', '--data', 'data']);
    expect(err).toMatch(
      /^tau: The data folder .*data cannot be used: EEXIST.* Give another with --data DIR or TAU_DATA\.\n$/,
    );
    expect(code).toBe(1);
  });
});

describe('help', () => {
  test.each(['init', 'chat', 'explain', 'doctor', 'help'])(
    'tau %s --help and tau help %s say the same',
    async (name) => {
      const help = await tau([name, '--help']);
      expect(help).toEqual(await tau(['help', name]));
      expect(help).toMatchObject({ err: '', code: 0, out: expect.stringContaining(`Usage: tau ${name}`) });
    },
  );

  test('is Turkish where the environment is', async () => {
    expect((await tau(['--help'], { LANG: 'tr_TR.UTF-8' })).out).toContain('Komutlar:');
    expect((await tau(['--help'], { LANG: 'tr_TR.UTF-8', LC_ALL: 'C' })).out).toContain('Commands:');
  });

  test('the version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await tau(['--version'])).toEqual({ out: `${version}\n`, err: '', code: 0 });
  });
});

describe('init', () => {
  test('writes both files and says what is next', async () => {
    const { out, code } = await tau(['init', 'mine']);
    expect(code).toBe(0);
    expect(out).toMatch(/^Wrote mine\/tau\.toml\.\nWrote mine\/tools\.ts\.\n(?:.*\n)*Next: cd mine && tau chat/);
    expect(readdirSync(join(folder, 'mine')).sort()).toEqual(['tau.toml', 'tools.ts']);
  });

  test('overwrites nothing, names what is there, and writes not even the other file', async () => {
    writeFileSync(join(folder, 'tools.ts'), 'mine');
    expect(await tau(['init'])).toEqual({
      out: '',
      err: 'tau: tools.ts is there already; nothing was written. --force overwrites it and keeps a backup.\n',
      code: 1,
    });
    expect(readdirSync(folder)).toEqual(['tools.ts']);
  });

  test('--force keeps what was there, every time', async () => {
    writeFileSync(join(folder, 'tools.ts'), 'mine');
    expect((await tau(['init', '--force'])).out).toContain('Wrote tools.ts. Kept the old one as tools.ts.bak.');
    writeFileSync(join(folder, 'tools.ts'), 'mine again');
    await tau(['init', '--force']);
    expect(readFileSync(join(folder, 'tools.ts.bak'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'tools.ts.1.bak'), 'utf8')).toBe('mine again');
  });
});

describe('explain', () => {
  const explained = async (...argv: readonly string[]): Promise<unknown> =>
    JSON.parse((await tau(['explain', ...argv, '--demo', '--json'])).out);

  test('says that a tier-2 call would ask, whom, and what it would show', async () => {
    expect(await explained('unlock_door', '{"door":"front"}')).toEqual({
      outcome: 'ask',
      tool: 'unlock_door',
      tier: 2,
      effect: 'Unlocks the front door. Anybody can come in.',
      arguments: { door: 'front' },
      policyVersion: expect.stringMatching(/^config-1-/),
      approver: 'terminal',
    });
  });

  test('says that a read would run', async () => {
    expect(await explained('read_lock', '{"door":"front"}')).toMatchObject({ outcome: 'allow', tier: 0 });
  });

  test('says why a call would be refused, and that nobody would be asked', async () => {
    expect(await explained('unlock_door', '{"door":"cellar"}')).toMatchObject({
      outcome: 'refuse',
      reason: 'invalid_arguments',
      refusal: expect.stringMatching(/^The input for tool 'unlock_door' is not valid/),
    });
    expect(await explained('open_safe')).toMatchObject({
      outcome: 'refuse',
      reason: 'not_registered',
      refusal: "Tool 'open_safe' is not registered; it was not run.",
    });
  });

  test('[P7] says when somebody else has to answer, and a chat of one person is refused then', async () => {
    const policy = '[policy]\nrequester_decides = false\n[[policy.deciders]]\nprincipal = "mo"\n';
    writeFileSync(join(folder, 'tau.toml'), `${policy}[[principals]]\nid = "mo"\nkind = "person"\n`);
    expect((await tau(['explain', 'delete_notes', '--demo'])).out).toContain('never whoever asks');
    expect(await explained('delete_notes')).toMatchObject({ outcome: 'ask', approver: 'hub' });
    const chat = await tau(['chat', '--demo']);
    expect([chat.code, chat.err]).toEqual([1, expect.stringContaining("Use 'tau serve', where others can answer")]);
  });

  test('leaves no trace: nothing is asked, run or written', async () => {
    await tau(['explain', 'unlock_door', '{"door":"front"}', '--demo']);
    await tau(['explain', 'add_note', '{"text":"x"}', '--demo']);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is readable', async () => {
    writeFileSync(join(folder, 'tau.toml'), '[agent]\ntimeout_seconds = 30');
    expect((await tau(['explain', 'unlock_dor', '--demo'])).out).toContain("Did you mean 'unlock_door'?");
    const { out } = await tau(['explain', 'delete_notes', '--demo']);
    expect(out.replace(/config-1-[0-9a-f]+/, 'VERSION')).toBe(
      [
        'Would ask a person first.',
        '  Tool          delete_notes',
        '  Tier          2 · asks a person',
        '  Effect        Deletes all notes. This cannot be undone.',
        '  Arguments     {}',
        '  Why           tier 2: every call needs a yes, for exactly these arguments, once',
        "                the arguments fit the tool's schema",
        '                the policy (VERSION) lets this person see the tool',
        '  Who is asked  the person at the terminal (approver: terminal)',
        '                silence for 30 s means no',
        '',
      ].join('\n'),
    );
  });
});

describe('doctor', () => {
  const statuses = async (
    env: Record<string, string> = {},
  ): Promise<{ code: number; found: Record<string, string> }> => {
    const { out, code } = await tau(['doctor', '--json'], env);
    const { checks } = JSON.parse(out) as { checks: { check: string; status: string }[] };
    return { code, found: Object.fromEntries(checks.map(({ check, status }) => [check, status])) };
  };

  test('is content with the demo', async () => {
    const { out, code } = await tau(['doctor', '--demo']);
    expect(out).toContain('✓ Model          demo · tau-demo');
    expect(out).toContain('All is well.');
    expect(code).toBe(0);
  });

  test('tells what is broken and ends with 1', async () => {
    writeFileSync(
      join(folder, 'tau.toml'),
      '[model]\nprovider = "openai"\n[tools]\nmodules = ["./x.ts"]\n[log]\nfile = "tau.toml/x.log"',
    );
    expect(await statuses()).toEqual({
      code: 1,
      found: {
        node: 'ok',
        sdk: 'ok',
        config: 'ok',
        tools: 'broken',
        policy: 'note',
        model: 'broken',
        data: 'ok',
        log: 'broken',
        terminal: 'note',
      },
    });
  });

  test('goes on where the configuration cannot be read', async () => {
    writeFileSync(join(folder, 'tau.toml'), '[ui]\nlanguage = "de"');
    const { out, code } = await tau(['doctor']);
    expect(out).toContain('✗ Configuration  tau.toml:2: [ui] language is "de"; give "en" or "tr".');
    expect(out).toContain('1 of these must be fixed.');
    expect(code).toBe(1);
  });
});
