import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { McpClient } from '@strands-agents/sdk';

/** An MCP server in this process, its tools, what they were called with, and a client of the SDK for it. */
export interface TestMcpServer {
  readonly client: McpClient;
  readonly calls: { readonly name: string; readonly args: unknown }[];
  /** Offers other tools from now on and tells nobody, as most servers do. */
  change(tools: readonly Tool[]): void;
  /** Offers other tools from now on, and waits until clients have heard of it. */
  offer(tools: readonly Tool[]): Promise<void>;
}

/** A tool as a server describes it. */
export function mcpTool(name: string, description: string = `does ${name}`, schema: object = {}): Tool {
  return { name, description, inputSchema: { type: 'object', ...schema } };
}

/** Starts a server. */
export async function mcpServer(tools: readonly Tool[]): Promise<TestMcpServer> {
  const calls: { name: string; args: unknown }[] = [];
  let offered = tools;
  const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...offered] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    calls.push({ name: params.name, args: params.arguments });
    return { content: [{ type: 'text', text: 'ok' }] };
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  const client = new McpClient({ transport: clientSide });
  return {
    client,
    calls,
    change(next) {
      offered = next;
    },
    async offer(next) {
      offered = next;
      await server.sendToolListChanged();
      // The SDK waits for 300 ms before it asks for the list.
      await new Promise((resolve) => setTimeout(resolve, 600));
    },
  };
}
