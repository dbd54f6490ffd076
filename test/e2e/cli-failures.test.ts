import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliFolder, type CliRun, runCli } from './cli-fixtures/run-cli.ts';

describe('a piped conversation tells its script when a turn failed', () => {
  let asked = 0;
  let server: Server;
  // Refuses the first request and answers the others.
  beforeAll(async () => {
    server = createServer((_request, response) => {
      asked += 1;
      if (asked === 1) {
        response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no such model"}}');
        return;
      }
      const chunk = (delta: object, end: string | null): string =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`${chunk({ role: 'assistant', content: 'Here I am.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());

  async function chat(input: string): Promise<CliRun> {
    using folder = new CliFolder();
    const { port } = server.address() as AddressInfo;
    folder.write(
      'tau.toml',
      `[model]\nprovider = "openai"\nmodel_id = "m"\nbase_url = "http://127.0.0.1:${port}/v1"\napi_key_env = "K"`,
    );
    return await runCli(folder, ['chat'], input, { K: 'k' });
  }

  test('by 1, also when a later turn works; by 0 when all did', async () => {
    const failed = await chat('hello\nhello again\n');
    expect(failed.out).toContain('The model failed');
    expect(failed.out).toContain('Here I am.');
    expect(failed.code).toBe(1);
    const worked = await chat('hello\n');
    expect(worked.out).toContain('Here I am.');
    expect(worked.code).toBe(0);
  }, 120_000);
});
