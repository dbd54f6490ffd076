import { pathToFileURL } from 'node:url';
import * as sdk from '@strands-agents/sdk';
import { guardTool } from 'strands-tau/strands';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { house, world } from '../../test/support/strands.ts';
import { assertConfigError } from '../../test/support/strands-checks.ts';

type Sdk = typeof sdk;

/** The copy of the SDK that these tests do not run on, whichever that is. */
async function otherCopy(): Promise<Sdk> {
  const entries = ['@strands-agents/sdk', 'strands-sdk-1-16'].map(
    (name) => pathToFileURL(`${process.cwd()}/node_modules/${name}/dist/src/index.node.js`).href,
  );
  const copies = await Promise.all(entries.map((entry) => import(entry) as Promise<Sdk>));
  const others = copies.filter((copy) => copy.Agent !== sdk.Agent);
  expect(others).toHaveLength(1);
  return others[0] as Sdk;
}

describe('[S6] a second copy of the SDK is a ConfigError', () => {
  it('in the model, a tool, a list of tools or the session manager', async () => {
    const other = await otherCopy();
    class OtherModel extends other.Model {
      updateConfig(): void {}
      getConfig(): object {
        return {};
      }
      async *stream(): AsyncGenerator<never> {}
    }
    const model = new OtherModel() as never;
    const tool = other.tool({ name: 'open', description: 'Opens.', inputSchema: z.object({}), callback: () => '' });
    const { buildAgent } = await import('strands-tau/strands');
    await assertConfigError(buildAgent({ model }), /model is not one of this copy/);
    await assertConfigError(world([], [], { tools: [tool as never] }), /'open' is not a Strands tool of this copy/);
    const sessionManager = new other.SessionManager({ sessionId: 'x' }) as never;
    await assertConfigError(world([], [], { sessionManager }), /session manager is not one of this copy/);
    expect(() => guardTool(tool as never, { tier: 1 })).toThrow(/not a Strands tool of this copy/);
  });

  it('in a hook, which would never fire', async () => {
    const other = await otherCopy();
    const hook = { event: other.BeforeToolCallEvent, callback: () => undefined } as never;
    await assertConfigError(world([], [], { hooks: [hook] }), /event of a hook is not one of this copy/);
  });

  it('in an agent that is used as a tool', async () => {
    const other = await otherCopy();
    const agent = new other.Agent({ model: 'some-model', printer: false, tools: house().tools as never });
    expect(() => guardTool(agent.asTool() as never, { tier: 1 })).toThrow(/not a Strands tool of this copy/);
    await assertConfigError(world([], [], { tools: [agent as never] }), /is not a Strands tool of this copy/);
  });
});
