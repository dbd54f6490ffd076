import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from '../../scripts/entries.ts';

/** Runs a program in which none of the optional packages can be loaded. */
function withoutOptionalPackages(program: string): unknown {
  const hooks = `
    const { registerHooks } = await import('node:module');
    registerHooks({
      resolve(specifier, context, next) {
        if (/^(express|hono|@hono|@ag-ui|@strands-agents)/.test(specifier)) throw new Error('not installed: ' + specifier);
        return next(specifier, context);
      },
    });`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', hooks + program], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

test('[C1.4] the server entry loads without express and the protocol packages, and says what is missing when it needs it', () => {
  const found = withoutOptionalPackages(`
    const server = await import('./src/ag-ui/http/index.ts');
    const warnings = [];
    const logger = { debug() {}, error() {}, warn: (message) => warnings.push(message) };
    const ids = { threadId: 't', runId: 'r' };
    const agent = { async *run() { yield { type: 'RUN_STARTED', ...ids }; yield { type: 'RUN_FINISHED', ...ids }; } };
    const handler = server.createHandler(agent, { logger });
    const response = await handler(new Request('http://h/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/vnd.ag-ui.event+proto' },
      body: JSON.stringify({ ...ids, messages: [] }),
    }));
    const missing = await server.createStrandsApp(agent, { logger }).catch((error) => [error.code, error.message]);
    console.log(JSON.stringify({
      names: Object.keys(server),
      type: response.headers.get('content-type'),
      frames: (await response.text()).split('\\n\\n').length,
      missing,
      warning: warnings.find((message) => message.includes('protobuf')),
    }));`);
  expect(found).toEqual({
    names: [
      'DEFAULT_CAPABILITIES',
      'addCapabilities',
      'addPing',
      'addStrandsExpressEndpoint',
      'capabilitiesFor',
      'createHandler',
      'createStrandsApp',
    ],
    type: 'text/event-stream',
    frames: 3,
    missing: ['config', "createStrandsApp needs the package 'express': npm install express"],
    warning: expect.stringContaining('@ag-ui/encoder could not be loaded'),
  });
});
