import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CliFolder, runCli } from './cli-fixtures/run-cli.ts';

describe('tools of a user', () => {
  test('what init writes works at once, in a folder without any installation', async () => {
    using folder = new CliFolder();
    await runCli(folder, ['init']);
    const { out, err, code } = await runCli(
      folder,
      ['chat'],
      'roll the dice\nsend_mail to="a@example.com" text="hi"\ny\nsend_mail to="b@example.com" text="hi"\nn\n',
    );
    expect({ err, code }).toEqual({ err: '', code: 0 });
    expect(out).toContain('✓ roll_dice {"count":2} · tier 0 · ok');
    expect(out).toContain('Sends a mail to a@example.com. It cannot be called back.');
    expect(folder.read('outbox.txt')).toBe('To: a@example.com\nhi\n\n');
    expect(out).toContain('I did not run send_mail: it was not approved.');
  });

  test('init heeds a package that says CommonJS, and a module that does not is told what to do', async () => {
    using folder = new CliFolder();
    folder.write('package.json', '{ "type": "commonjs" }');
    const made = await runCli(folder, ['init'], '', { npm_command: 'exec' });
    expect(made.out).toContain('npx strands-tau chat');
    expect((await runCli(folder, ['chat'], 'roll the dice\n')).out).toContain('✓ roll_dice');
    folder.write('tools.ts', folder.read('tools.mts'));
    folder.write('tau.toml', folder.read('tau.toml').replace('tools.mts', 'tools.ts'));
    const { err, code } = await runCli(folder, ['chat'], 'roll the dice\n');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('give the file the extension .mts, or set "type": "module"'),
    ]);
  });

  test('what to type is what works: without an installation there is no command tau', async () => {
    using folder = new CliFolder();
    for (const npm_command of ['exec', 'start']) {
      const { err } = await runCli(folder, ['chat'], '', { npm_command });
      expect(err).toContain("'npx strands-tau init' writes one; 'npx strands-tau chat --demo' needs none.");
      expect((await runCli(folder, ['help', 'serve'], '', { npm_command })).out).toContain(
        'npx strands-tau serve --demo',
      );
    }
    expect((await runCli(folder, ['help', 'serve'])).out).toContain('Usage: tau serve');
  });

  test('a module that cannot be used is refused in one clear line that names it', async () => {
    using folder = new CliFolder();
    const raw = "tool({ name: 'raw', description: 'x', inputSchema: z.object({}), callback: () => 'x' })";
    const modules: readonly (readonly [name: string, source: string, outcome: unknown])[] = [
      [
        'none',
        'export const x = 1;',
        expect.stringContaining('none.ts has no default export. End it with: export default'),
      ],
      ['plain', 'export default [{ name: "mine" }];', expect.stringContaining("[0] ('mine') is no guarded tool")],
      ['number', 'export default 5;', expect.stringContaining('its default export number is no guarded tool')],
      ['import', "import './nope.js';", expect.stringContaining('import.ts cannot be loaded: Cannot find module')],
      [
        'throws',
        'throw new Error("no database");',
        '[tools] modules: throws.ts cannot be loaded: throws.ts:1: no database',
      ],
      ['syntax', '\nexport default [;', expect.stringContaining('syntax.ts cannot be loaded: syntax.ts:2: ')],
      ['other', "import './syntax.ts';", expect.stringContaining('other.ts cannot be loaded: syntax.ts:2: ')],
      [
        'made',
        "import { tauTool } from 'strands-tau/strands';\n\nexport default tauTool({});",
        expect.stringContaining('made.ts cannot be loaded: made.ts:3: '),
      ],
      ['enum', 'enum A { B }\nexport default A;', expect.stringContaining('only TypeScript without enums')],
      [
        'raw',
        `import { tool } from '@strands-agents/sdk';\nimport { z } from 'zod';\nexport default ${raw};`,
        expect.stringContaining("'raw' is no guarded tool. Make it with tauTool or guardTool of strands-tau/strands."),
      ],
      [
        'guarded',
        `import { tool } from '@strands-agents/sdk';\nimport { guardTool } from 'strands-tau/strands';\nimport { Tier } from 'strands-tau';\nimport { z } from 'zod';\nexport default [[guardTool(${raw}, { tier: Tier.Physical })]];`,
        ['raw 2'],
      ],
      [
        'js',
        "import { tauTool } from 'strands-tau/strands';\nexport default tauTool({ name: 'js', description: 'x', inputSchema: {}, tier: 1, callback() {} });",
        ['js 1'],
      ],
    ];
    for (const [name, source] of modules) folder.write(`${name}.ts`, source);
    const outcomes = await loadEach(
      folder,
      modules.map(([name]) => `${name}.ts`),
    );
    expect(outcomes).toEqual(modules.map(([, , outcome]) => outcome));
  });
});

/** What loading each file in a process of its own gives: names and tiers, or the message. */
async function loadEach(folder: CliFolder, files: readonly string[]): Promise<readonly unknown[]> {
  const script = fileURLToPath(new URL('./cli-fixtures/load-each.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...files], { cwd: folder.path });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Whether a package that the SDK leaves to the user is installed here. */
function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.resolve('@strands-agents/sdk')).resolve(name);
    return true;
  } catch {
    return false;
  }
}

describe('models behind a network', () => {
  test.skipIf(!isInstalled('openai'))(
    'an OpenAI-compatible server at base_url answers and calls tools, and gets no key that was not named for it (skipped where the package openai is not installed)',
    async () => {
      using folder = new CliFolder();
      await using server = await FakeOpenAi.start([
        toolCallChunks('unlock_door', { door: 'front' }),
        textChunks('The door is open.'),
      ]);
      folder.write(
        'tau.toml',
        `[model]\nprovider = "openai"\nmodel_id = "local"\nbase_url = "${server.url}"\n[tools]\nmodules = ["./door.ts"]`,
      );
      folder.write(
        'door.ts',
        `import { writeFileSync } from 'node:fs';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';
export default tauTool({ name: 'unlock_door', description: 'Unlocks.', inputSchema: z.object({ door: z.string() }), tier: 2,
  effect: 'Unlocks a door.', callback: ({ door }) => { writeFileSync('ran.txt', door); return 'unlocked'; } });`,
      );
      const { out, err, code } = await runCli(folder, ['chat'], 'open up\ny\n', { OPENAI_API_KEY: 'sk-real' });
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(out).toContain('The door is open.');
      expect(folder.read('ran.txt')).toBe('front');
      expect(server.keys).toEqual(['Bearer none', 'Bearer none']);
    },
  );
});

/** Speaks as much of OpenAI's chat protocol as a test needs. */
class FakeOpenAi implements AsyncDisposable {
  readonly keys: (string | undefined)[] = [];
  readonly #server: Server;

  private constructor(answers: readonly (readonly object[])[]) {
    const left = [...answers];
    this.#server = createServer((request, response) => {
      this.keys.push(request.headers.authorization);
      void drain(request).then(() => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const chunk of left.shift() ?? []) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        response.end('data: [DONE]\n\n');
      });
    });
  }

  static async start(answers: readonly (readonly object[])[]): Promise<FakeOpenAi> {
    const fake = new FakeOpenAi(answers);
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function drain(request: IncomingMessage): Promise<void> {
  for await (const _chunk of request);
}

function textChunks(text: string): readonly object[] {
  return [chunk({ role: 'assistant', content: text }), chunk({}, 'stop')];
}

function toolCallChunks(name: string, args: object): readonly object[] {
  const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
  return [chunk({ role: 'assistant', tool_calls: [call] }), chunk({}, 'tool_calls')];
}

function chunk(delta: object, finish: string | null = null): object {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'local',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}
