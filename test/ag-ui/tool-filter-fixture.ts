import type { Tool as ClientTool, RunAgentInput } from '@ag-ui/core';
import { Agent, type AgentResult, InterruptResponseContent, type Tool, tool } from '@strands-agents/sdk';
import { type ScriptedBlock, ScriptedModel } from 'strands-tau/testing';
import { z } from 'zod';
import type { RequestContext, TemplateToolsProvider } from '../../src/ag-ui/config.ts';
import { type ToolsOfRun, type ToolsOfRunRequest, toolsOfRun } from '../../src/ag-ui/tools/tools-of-run.ts';
import { ANONYMOUS } from '../../src/core/call.ts';

/** A log that remembers its lines. */
export interface LineLog {
  readonly lines: readonly string[];
  debug(message: string): void;
  warn(message: string): void;
  error(message: string, ...args: unknown[]): void;
  /** The messages of one level. */
  of(level: 'debug' | 'warn' | 'error'): readonly string[];
}

export function lineLog(): LineLog {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level} ${message}`);
  return {
    lines,
    debug: write('debug'),
    warn: write('warn'),
    error: write('error'),
    of: (level) => lines.filter((line) => line.startsWith(`${level} `)).map((line) => line.slice(level.length + 1)),
  };
}

/** A tool without a tier; `ran` counts its runs. */
export function plainTool(name: string, body: () => unknown = () => 'done'): Tool {
  return tool({
    name,
    description: `Does ${name}.`,
    inputSchema: z.object({}),
    callback: async () => String(await body()),
  });
}

/** A tool that asks before it works: it raises an interrupt of its own and notes the run after the answer. */
export function askingTool(name: string, ran: string[], questions: readonly string[] = ['sure']): Tool {
  return tool({
    name,
    description: `Does ${name}.`,
    inputSchema: z.object({}),
    callback: (_input, context) => {
      for (const question of questions) context?.interrupt({ name: question });
      ran.push(name);
      return `${name} done`;
    },
  });
}

export function clientTool(name: string, over: Partial<ClientTool> = {}): ClientTool {
  return { name, description: `Client ${name}.`, parameters: { type: 'object', properties: {} }, ...over };
}

export function runInput(over: Partial<RunAgentInput> = {}): RunAgentInput {
  return { threadId: 't1', runId: 'r1', messages: [], tools: [], context: [], state: {}, forwardedProps: {}, ...over };
}

export function requestContext(over: Partial<RequestContext> = {}): RequestContext {
  return { principal: ANONYMOUS, headers: {}, signal: new AbortController().signal, ...over };
}

/** Decides the tools of a run of an agent whose tools are all the template's; `over` replaces parts of the request. */
export function decide(
  agent: Agent,
  provider: TemplateToolsProvider | undefined,
  over: Partial<ToolsOfRunRequest> = {},
): Promise<ToolsOfRun> {
  return toolsOfRun({
    agent,
    templateTools: [],
    provider,
    producers: [],
    input: runInput(),
    context: requestContext(),
    parked: new Set(),
    log: lineLog(),
    ...over,
  });
}

/** An agent over a script, started, so that everything that brings tools has brought them. */
export async function scripted(
  turns: ConstructorParameters<typeof ScriptedModel>[0],
  tools: readonly Tool[],
  options: Omit<ConstructorParameters<typeof Agent>[0], 'model' | 'tools'> = {},
): Promise<{ agent: Agent; model: ScriptedModel }> {
  const model = new ScriptedModel(turns);
  const agent = new Agent({ model, tools: [...tools], printer: false, ...options });
  await agent.initialize();
  return { agent, model };
}

/** Answers everything that an agent waits for. */
export function answers(result: AgentResult, response: string | boolean = true): InterruptResponseContent[] {
  return (result.interrupts ?? []).map(({ id }) => new InterruptResponseContent({ interruptId: id, response }));
}

export function registered(agent: Pick<Agent, 'toolRegistry'>): readonly string[] {
  return agent.toolRegistry
    .list()
    .map(({ name }) => name)
    .sort();
}

/** The texts of the tool results in an agent's history, in order. */
export function resultTexts(agent: Agent): readonly string[] {
  return agent.messages
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === 'toolResultBlock' ? block.content : []))
    .map((block) => (block.type === 'textBlock' ? block.text : JSON.stringify(block)));
}

/** A call without arguments, for a scripted model. */
export function call(name: string): ScriptedBlock {
  return { toolUse: { name, input: {} } };
}
