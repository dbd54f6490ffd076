import { type Agent, Message } from '@strands-agents/sdk';
import type { Request } from '../bridge-parts.ts';
import type { StrandsAgentConfig } from '../config.ts';
import { installInterruptOnCall } from '../interrupt/interrupt-on-call.ts';
import { seedForPrompt } from '../request/seed.ts';
import { isProxyTool } from '../tools/client-tools.ts';
import { behaviorLookup } from '../translate/rules.ts';
import { adoptAgent, makeThreadAgent, refuseUnguarded } from './make-thread-agent.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** The settings an agent's hooks read; replaced by each request, since a bridge may be rebuilt around its agents. */
const settings = new WeakMap<Agent, StrandsAgentConfig>();

/** The agent of the request's thread: the application's own, the cached one, or a new one. */
export async function threadOfRequest(request: Request): Promise<ThreadAgent> {
  const { parts, key, lease, input } = request;
  const external = parts.agentsByThread?.get(key);
  if (external !== undefined) refuseUnguarded(parts.source, external, input.threadId);
  const thread = await lease.agent(async () => (external === undefined ? make(request) : adoptAgent(external, false)));
  prepare(thread, parts.config);
  return thread;
}

async function make(request: Request): Promise<ThreadAgent> {
  const { parts, key, input, context } = request;
  const { source, config, name, plugins, log } = parts;
  const thread = await makeThreadAgent({ source, key, input, context, config, name, plugins, log });
  if (!thread.durable && config.replayHistoryIntoStrands === false) {
    thread.agent.messages.push(...seedForPrompt(input).map((data) => Message.fromMessageData(data)));
  }
  parts.agentsByThread?.set(key, thread.agent);
  return thread;
}

function prepare({ agent }: ThreadAgent, config: StrandsAgentConfig): void {
  const first = !settings.has(agent);
  settings.set(agent, config);
  if (!first) return;
  const behaviorOf = (tool: string): ReturnType<ReturnType<typeof behaviorLookup>> =>
    behaviorLookup(settings.get(agent)?.toolBehaviors)(tool);
  installInterruptOnCall(agent, behaviorOf, (tool) => isProxyTool(agent.toolRegistry.get(tool)));
}
