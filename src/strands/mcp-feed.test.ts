import type { McpClient, Tool } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { ForeignTool } from '../../test/support/strands-parts.ts';
import { mcpFeedOf } from './mcp-feed.ts';

/** A client that answers when it is told to. */
function slowClient() {
  const answers: ((tools: Tool[]) => void)[] = [];
  const client = {
    connectionState: 'connected',
    onToolsChanged: (_before: string[], _now: Tool[]): void => undefined,
    listTools: () => new Promise<Tool[]>((resolve) => answers.push(resolve)),
  };
  const heard: string[][] = [];
  const follower = { take: (tools: readonly Tool[]) => void heard.push(tools.map(({ name }) => name)) };
  return { client, feed: mcpFeedOf(client as unknown as McpClient), answers, heard, follower };
}

const tools = (...names: string[]): Tool[] => names.map((name) => new ForeignTool(name));

describe('[S18] what an MCP server offers', () => {
  it('is never taken from a list that was asked for before a newer one came', async () => {
    const { client, feed, answers, heard, follower } = slowClient();
    feed.follow(follower);
    const first = feed.ask();
    const second = feed.ask();
    answers[1]?.(tools('second'));
    await second;
    answers[0]?.(tools('first'));
    await first;
    const third = feed.ask();
    client.onToolsChanged([], tools('announced'));
    answers[2]?.(tools('third'));
    await third;
    expect(heard).toEqual([[], ['second'], ['announced']]);
  });

  it('is what it was while the server is away', async () => {
    const { client, feed, answers, heard, follower } = slowClient();
    const asked = feed.ask();
    answers[0]?.(tools('pay'));
    await asked;
    feed.follow(follower);
    client.connectionState = 'failed';
    const again = feed.ask();
    answers[1]?.([]);
    await again;
    expect(heard).toEqual([['pay']]);
  });

  it('reaches everybody who goes by it, also after somebody else made himself the one listener', async () => {
    const { client, feed, answers, heard, follower } = slowClient();
    feed.follow(follower);
    feed.follow({ ...follower });
    client.onToolsChanged = () => undefined;
    const asked = feed.ask();
    client.onToolsChanged([], tools('pay'));
    expect(heard.slice(2)).toEqual([['pay'], ['pay']]);
    answers[0]?.([]);
    await asked;
  });
});
