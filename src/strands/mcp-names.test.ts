import { describe, expect, it } from 'vitest';
import { mcpServer, mcpTool, type TestMcpServer } from '../../test/support/mcp-server.ts';
import { call, DONE, endOf, type WorldOptions, world } from '../../test/support/strands.ts';
import { assertConfigError } from '../../test/support/strands-checks.ts';
import { ForeignTool, plugin } from '../../test/support/strands-parts.ts';
import { decide, resume, Town } from '../../test/support/strands-town.ts';
import type { LateGuardOptions } from './build-options.ts';

const PARK = { parked: true } as const;
const PAY = { tier: 2, effect: 'Pays by the bank' } as const;
const pay = mcpTool('pay', 'Pays', { properties: { amount: {} } });
const paying = [call('pay', { amount: 1 }, 'c1')];

function options(
  servers: readonly TestMcpServer[],
  guard: Record<string, LateGuardOptions> = { pay: PAY },
): WorldOptions {
  return { tools: servers.map(({ client }) => client) as never, guard };
}

describe('[G3, S18] the name of a tool of an MCP server', () => {
  it('stays with that server when it withdraws the tool: a yes for it runs nothing at another one', async () => {
    const [bank, other] = [await mcpServer([pay]), await mcpServer([])];
    const town = new Town();
    const { w, ids } = await town.park(paying, [PARK, PARK], options([bank, other]));
    await decide(w, ids[0], 'approved');
    await bank.offer([]);
    await other.offer([pay]);
    await resume(w);
    expect([bank.calls, other.calls]).toEqual([[], []]);
    expect(w.agent.toolRegistry.get('pay')).toBeUndefined();
    expect(w.of('error').map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/'pay'.*was somebody else's/),
    );
  });

  it('comes back with it, but no yes from before does: it is asked anew, and runs once', async () => {
    const bank = await mcpServer([pay]);
    const town = new Town();
    const { w, ids } = await town.park(paying, [PARK, PARK], options([bank]));
    await decide(w, ids[0], 'approved');
    await bank.offer([]);
    await bank.offer([pay]);
    const end = endOf(await resume(w));
    expect([end.reason, bank.calls, await town.statuses()]).toEqual(['parked', [], ['void', 'pending']]);
    await decide(w, end.approvalIds?.[0], 'approved');
    await resume(w);
    expect(bank.calls).toEqual([{ name: 'pay', args: { amount: 1 } }]);
  });

  it('is no reason to void a yes when the server announces something else', async () => {
    const bank = await mcpServer([pay]);
    const town = new Town();
    const { w, ids } = await town.park(paying, [PARK], options([bank], { pay: PAY, read: { tier: 0 } }));
    await decide(w, ids[0], 'approved');
    await bank.offer([pay, mcpTool('read')]);
    await resume(w);
    expect([bank.calls.length, w.agent.tools.map(({ name }) => name)]).toEqual([1, ['pay', 'read']]);
  });

  it('is nobody’s when two servers bring it at once, until `guard` says whose it is', async () => {
    for (const order of [0, 1]) {
      const [bank, other] = [await mcpServer([pay]), await mcpServer([pay])];
      const servers = order === 0 ? [bank, other] : [other, bank];
      const w = await world([paying, DONE], ['approved'], options(servers));
      await w.turn();
      await other.offer([pay, mcpTool('more')]);
      expect(w.agent.toolRegistry.get('pay')).toBeUndefined();
      expect([w.approver.requests, bank.calls, other.calls]).toEqual([[], [], []]);
      expect(w.of('error').map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/Two MCP servers offer 'pay'/),
      );
      const said = await world(
        [paying, DONE],
        ['approved'],
        options(servers, { pay: { ...PAY, client: bank.client } }),
      );
      await said.turn();
      expect([said.approver.requests.length, bank.calls.length, other.calls]).toEqual([1, 1, []]);
    }
  });

  it('is not given to the first server that brings it where `guard` means another one', async () => {
    const [bank, other] = [await mcpServer([]), await mcpServer([pay])];
    const guard = { pay: { ...PAY, client: bank.client } };
    const w = await world([paying, DONE], ['approved'], options([bank, other], guard));
    await w.turn();
    expect([w.approver.requests, other.calls]).toEqual([[], []]);
    await bank.offer([pay]);
    expect(w.agent.tools.map(({ name }) => name)).toEqual(['pay']);
    const plugins = [plugin('bringer', () => undefined, [new ForeignTool('pay')])];
    await assertConfigError(world([], [], { guard, plugins }), /A plugin brings 'pay', but `guard` means/);
  });
});

describe('[S16, S18] a parked yes for a tool of an MCP server', () => {
  /** Parks and approves a call at the first of two servers; goes on in a new process, where they offer these tools. */
  async function afterRestart(first: readonly (typeof pay)[], second: readonly (typeof pay)[]) {
    const town = new Town();
    const { w, ids } = await town.park(paying, [PARK], options([await mcpServer([pay]), await mcpServer([])]));
    await decide(w, ids[0], 'approved');
    const servers = [await mcpServer(first), await mcpServer(second)];
    const again = await town.process([DONE], [PARK], options(servers));
    const { reason } = endOf(await resume(again));
    return [reason, servers.map(({ calls }) => calls.length), await town.statuses()];
  }

  it('outlives a restart with the same configuration', async () => {
    expect(await afterRestart([pay], [])).toEqual(['endTurn', [1, 0], ['done']]);
  });

  it('is void when the tool is another server’s by then, which brings the very same one', async () => {
    expect(await afterRestart([], [pay])).toEqual(['parked', [0, 0], ['void', 'pending']]);
  });
});
