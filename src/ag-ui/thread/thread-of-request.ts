import { type Agent, Message } from '@strands-agents/sdk';
import { TauAgent } from '../../strands/tau-agent.ts';
import type { Request } from '../bridge-parts.ts';
import type { StrandsAgentConfig } from '../config.ts';
import { installInterruptOnCall } from '../interrupt/interrupt-on-call.ts';
import { seedForPrompt } from '../request/seed.ts';
import { isProxyTool } from '../tools/client-tools.ts';
import { behaviorLookup } from '../translate/rules.ts';
import { adoptAgent, refuseUnguarded } from './adopt-agent.ts';
import { makeThreadAgent, restoring } from './make-thread-agent.ts';
import { rememberResults } from './remember-calls.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** The settings an agent's hooks read; replaced by each request, since a bridge may be rebuilt around its agents. */
const settings = new WeakMap<Agent, StrandsAgentConfig>();

type AgentRequest = Omit<Request, 'leaving'>;

/** The agent of the request's thread: the application's own, the cached one, or a new one. */
export async function threadOfRequest(request: AgentRequest): Promise<ThreadAgent> {
  const { parts, key, lease, input } = request;
  const external = parts.agentsByThread?.get(key);
  const thread =
    external === undefined
      ? await lease.agent(
          () => make(request),
          () => parts.agentsByThread === undefined,
        )
      : await lease.agent(
          () => adopt(external),
          ({ agent }) => agent === agentOf(external),
        );
  if (external !== undefined) refuseUnguarded(parts.source, thread, input.threadId);
  prepare(thread, parts.config);
  return thread;
}

/** An agent of the application's own map is used as it is. */
async function adopt(external: Agent | TauAgent): Promise<ThreadAgent> {
  const agent = agentOf(external);
  await restoring(agent.sessionManager, () => agent.initialize());
  return adoptAgent(external, agent.sessionManager !== undefined);
}

function agentOf(made: Agent | TauAgent): Agent {
  return made instanceof TauAgent ? made.agent : made;
}

async function make(request: AgentRequest): Promise<ThreadAgent> {
  const { parts, key, input, context } = request;
  const { source, config, name, plugins, log } = parts;
  const thread = await makeThreadAgent({ source, key, input, context, config, name, plugins, log });
  if (!thread.durable && config.replayHistoryIntoStrands === false && thread.agent.messages.length === 0) {
    thread.agent.messages.push(...seedForPrompt(input).map((data) => Message.fromMessageData(data)));
    thread.markReplayed();
  }
  parts.agentsByThread?.set(key, thread.agent);
  return thread;
}

function prepare(thread: ThreadAgent, config: StrandsAgentConfig): void {
  const { agent } = thread;
  const first = !settings.has(agent);
  settings.set(agent, config);
  if (!first) return;
  rememberResults(thread);
  const behaviorOf = (tool: string): ReturnType<ReturnType<typeof behaviorLookup>> =>
    behaviorLookup(settings.get(agent)?.toolBehaviors)(tool);
  installInterruptOnCall(agent, behaviorOf, (tool) => isProxyTool(agent.toolRegistry.get(tool)));
}
