import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpClient } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { mcpSources } from './mcp-source.ts';

const http = (url: string): McpClient => new McpClient({ url });
const stdio = (...args: string[]): McpClient =>
  new McpClient({ transport: new StdioClientTransport({ command: 'serve', args }) });
const own = (): McpClient => new McpClient({ transport: InMemoryTransport.createLinkedPair()[0] });

describe('[S18] whose the tools of an MCP client are', () => {
  it('is the same after a restart with the same configuration, whichever agent was built first', () => {
    const configured = (): McpClient[] => [http('https://bank.test/mcp'), stdio('files'), own(), own()];
    expect(mcpSources(configured())).toEqual(mcpSources(configured()));
    const [bank, files] = configured();
    const [, ofFiles] = mcpSources(configured());
    expect(mcpSources(files === undefined ? [] : [files])).toEqual([ofFiles]);
    expect(bank === undefined || files === undefined ? [] : mcpSources([files, bank])[0]).toBe(ofFiles);
  });

  it('is another one at another address or command line', () => {
    const all = [
      http('https://bank.test/mcp'),
      http('https://bank.test/mcp?account=2'),
      http('https://mallory.test/mcp'),
    ];
    const alone = [...all, stdio('files'), stdio('shell'), own()].map((client) => mcpSources([client])[0]);
    expect(new Set(alone).size).toBe(6);
  });

  it('is never the same for two clients of one agent, also when each was the only one of another', () => {
    for (const make of [() => http('https://bank.test/mcp'), () => stdio('files'), own]) {
      const [one, two, three] = [make(), make(), make()];
      expect(mcpSources([one])).toEqual(mcpSources([two]));
      const together = mcpSources([one, two, three]);
      expect(new Set(together).size).toBe(3);
      expect(mcpSources([one, two, three])).toEqual(together);
    }
  });
});
