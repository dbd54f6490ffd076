import {
  AfterToolCallEvent,
  AfterToolsEvent,
  BeforeInvocationEvent,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  BeforeToolsEvent,
  type LocalAgent,
  type Plugin,
  type Tool,
} from '@strands-agents/sdk';
import type { ToolCall } from '../core/call.ts';
import { ConfigError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import type { CallOutcome } from '../core/outcome.ts';
import { type RefusalReason, refusalText, refuse, unknownToolText } from '../core/verdict.ts';
import { bindRegistry } from './binding.ts';
import { endTrace, traceCall, traceOf } from './call-trace.ts';
import { giveDistinctIds } from './distinct-ids.ts';
import { effectiveTool, pinRefusal, pinTool } from './effective-tool.ts';
import { withdrawForeignTools } from './foreign-tools.ts';
import { guardOf, isVouched } from './guards.ts';
import { markGateHook } from './hooks-behind-gate.ts';
import { closeBatch, forgetBatch, openBatch, originOf, runOf } from './run-context.ts';
import { OUTPUT_TOOL } from './sdk-internals.ts';
import { refreshMcpTools } from './serve-mcp-tools.ts';

const FIRST = { order: Number.NEGATIVE_INFINITY };
const LAST = { order: Number.POSITIVE_INFINITY };

/** Agents that have the hooks, so that one that `buildAgent` made can serve another one as a tool. */
const hooked = new WeakMap<LocalAgent, TierGate>();

/**
 * The Strands plugin of a gate. It asks nobody: the question is put inside the guarded tool. What it does is refuse
 * calls that would never reach a guard, and tell of them.
 *
 * `buildAgent` adds it. By hand: `new Agent({ tools, plugins: [..., new TierHook(gate)] })`, last in the list.
 */
export class TierHook implements Plugin {
  readonly name: string = 'tau:tier-hook';
  readonly #gate: TierGate;
  /** `#mayRun` for what outlives the hook. */
  readonly #passes = (tool: Tool, event: BeforeToolCallEvent): boolean => this.#mayRun(tool, event);

  constructor(gate: TierGate) {
    this.#gate = gate;
  }

  /** Binds the agent's guarded tools, and those of the agents among them, to the gate and registers the hooks. */
  async initAgent(agent: LocalAgent): Promise<void> {
    const owner = hooked.get(agent);
    if (owner !== undefined && owner !== this.#gate) {
      throw new ConfigError('An agent has the hooks of another gate already; make a new one, or share one gate');
    }
    await bindRegistry(agent, this.#gate, (subAgent) => this.initAgent(subAgent));
    if (owner === undefined) this.#addHooks(agent);
    hooked.set(agent, this.#gate);
  }

  #addHooks(agent: LocalAgent): void {
    agent.addHook(BeforeInvocationEvent, (event) => this.#withdraw(event.agent), LAST);
    agent.addHook(BeforeModelCallEvent, (event) => this.#withdraw(event.agent), LAST);
    agent.addHook(BeforeToolsEvent, beginBatch, FIRST);
    agent.addHook(BeforeToolCallEvent, (event) => this.#refuseAtFirst(event), FIRST);
    agent.addHook(
      BeforeToolCallEvent,
      markGateHook((event: BeforeToolCallEvent) => this.#beforeToolCall(event)),
      LAST,
    );
    agent.addHook(AfterToolCallEvent, (event) => this.#afterToolCall(event), FIRST);
    agent.addHook(AfterToolsEvent, (event) => closeBatch(event.agent), LAST);
  }

  #withdraw(agent: LocalAgent): void {
    forgetBatch(agent);
    refreshMcpTools(agent);
    withdrawForeignTools(agent, this.#gate, (tool) => this.#mayBeOffered(tool));
  }

  #mayBeOffered(tool: Tool): boolean {
    return guardOf(tool)?.gate === this.#gate || isVouched(tool) || tool.name === OUTPUT_TOOL;
  }

  /**
   * A hook that throws keeps those behind it from running; when the consumer of the stream has left or another error
   * came first, the SDK logs that and goes on to the tool. So a tool without a guard is refused before any other hook.
   */
  #refuseAtFirst(event: BeforeToolCallEvent): void {
    const guarded = event.tool !== undefined && this.#mayRun(event.tool, event);
    const text = guarded ? undefined : unknownToolText(event.toolUse.name);
    traceCall(event, text);
    if (text !== undefined) event.cancel = text;
  }

  /** Refused until proven guarded. Never throws: an error here must not be mistaken for consent. */
  #beforeToolCall(event: BeforeToolCallEvent): void {
    const wished = wishedByOthers(event);
    const name = event.toolUse.name;
    event.cancel = unknownToolText(name);
    try {
      const tool = effectiveTool(event);
      if (tool === undefined || !this.#mayRun(tool, event)) return pinRefusal(event, unknownToolText(name));
      pinTool(event, tool, this.#passes);
      event.cancel = wished;
    } catch (error) {
      pinRefusal(event, refusalText(name));
      this.#gate.reportError('tier_gate', 'the tier hook failed', { tool: name, error });
    }
  }

  #mayRun(tool: Tool, event: BeforeToolCallEvent): boolean {
    if (guardOf(tool)?.gate === this.#gate || isVouched(tool)) return true;
    return tool.name === OUTPUT_TOOL && runOf(event.invocationState)?.outputTool === tool;
  }

  /** Tells of a call that no guard has told of. */
  #afterToolCall(event: AfterToolCallEvent): void {
    const { toolUse, tool, result, agent } = event;
    const trace = endTrace(agent, toolUse.toolUseId);
    if (trace === undefined || trace.reached) return;
    const call: ToolCall = {
      tool: toolUse.name,
      arguments: toolUse.input,
      toolUseId: toolUse.toolUseId,
      origin: originOf(runOf(event.invocationState)),
    };
    if (isOn(trace.before.cancel)) return this.#recordRefusal(call, tool);
    if (tool !== undefined && guardOf(tool) === undefined && this.#mayBeOffered(tool)) {
      return this.#gate.record(call, vouchedOutcome(result));
    }
    this.#gate.reportError('tier_gate', `'${toolUse.name}' gave a result that no guard let through`, call);
    this.#gate.record(call, unguarded(toolUse.name));
  }

  #recordRefusal(call: ToolCall, tool: Tool | undefined): void {
    const known = guardOf(tool)?.gate === this.#gate;
    const reason: RefusalReason = known ? 'cancelled' : 'not_registered';
    if (!known) this.#gate.reportError('tier_gate', unknownToolText(call.tool), call);
    const text = known ? refusalText(call.tool) : unknownToolText(call.tool);
    this.#gate.record(call, { status: 'refused', refusal: refuse(reason, text), durationMs: 0 });
  }
}

/** What hooks in between want; the first refusal is the gate's own. */
function wishedByOthers({ agent, toolUse, cancel }: BeforeToolCallEvent): boolean | string {
  return cancel === traceOf(agent, toolUse.toolUseId)?.refusedAtFirst ? false : cancel;
}

/** How the SDK reads `cancel`: an empty text cancels nothing. */
function isOn(cancel: boolean | string): boolean {
  return Boolean(cancel);
}

function vouchedOutcome(result: AfterToolCallEvent['result']): CallOutcome<unknown> {
  const common = { approval: 'not_required', durationMs: 0 } as const;
  return result.status === 'success'
    ? { status: 'success', value: result, ...common }
    : { status: 'error', error: JSON.stringify(result), ...common };
}

function unguarded(tool: string): CallOutcome<unknown> {
  return { status: 'error', error: `'${tool}' ran without a guard`, approval: 'not_required', durationMs: 0 };
}

/** Starts a dispatch. */
function beginBatch({ agent, message, invocationState }: BeforeToolsEvent): void {
  openBatch(agent, message, giveDistinctIds(message), runOf(invocationState));
}
