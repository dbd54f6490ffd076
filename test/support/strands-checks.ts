import { isDeepStrictEqual } from 'node:util';
import type { Agent, MessageData } from '@strands-agents/sdk';
import { type AgentEvent, type ApprovalRequest, ConfigError, type JSONValue } from 'strands-tau';
import type { ScriptedModel } from 'strands-tau/testing';
import { expect } from 'vitest';

/** One body that started: the tool, and the very object it got. */
export interface Ran {
  readonly tool: string;
  readonly args: JSONValue;
}

/** What there is to check after a turn. */
export interface Checked {
  readonly events: readonly AgentEvent[];
  readonly ran: readonly Ran[];
  readonly agent: Agent;
  readonly model: ScriptedModel;
}

/** The text of a refusal. */
export function refusal(tool: string): string {
  return `The user did not approve this action: ${tool}. Do not perform it; tell the user briefly.`;
}

/** The text of a call to something that is not registered. */
export function unknown(tool: string): string {
  return `Tool '${tool}' is not registered; it was not run.`;
}

/** The tool results in the history, as texts, in order. */
export function resultTexts(agent: Agent): string[] {
  return agent.messages.flatMap((message) =>
    message.content.flatMap((block) =>
      block.type === 'toolResultBlock'
        ? [
            block.content
              .map((part) => (part.type === 'textBlock' ? part.text : JSON.stringify(part.toJSON())))
              .join(''),
          ]
        : [],
    ),
  );
}

/** Bodies of tier-2 tools that started. */
export function physical({ ran }: { readonly ran: readonly Ran[] }): readonly Ran[] {
  return ran.filter(({ tool }) => PHYSICAL.has(tool));
}

const PHYSICAL = new Set(['unlock_door', 'run_shell']);

/**
 * The invariant of tau: every tier-2 body that started has an approval of its own, and got exactly the arguments that
 * were shown. Also checks the history.
 */
export function assertOnlyApproved(
  w: Checked,
  { exempt = () => false }: { exempt?: (ran: Ran) => boolean } = {},
): void {
  const unused = w.events.filter((event) => event.type === 'approval' && event.decision === 'approved');
  for (const body of physical(w)) {
    if (exempt(body)) continue;
    const index = unused.findIndex(
      (event) => event.type === 'approval' && event.tool === body.tool && isDeepStrictEqual(event.arguments, body.args),
    );
    expect(index, `${body.tool} ${JSON.stringify(body.args)} ran without an approval`).toBeGreaterThanOrEqual(0);
    unused.splice(index, 1);
  }
  assertValidHistory(w);
}

/** What was shown to the approver, as [tool, arguments]. */
export function shown(approver: { readonly requests: readonly ApprovalRequest[] }): [string, JSONValue][] {
  return approver.requests.map((request) => [request.tool, request.arguments]);
}

/** What ran, as [tool, arguments]. */
export function started(w: { readonly ran: readonly Ran[] }): [string, JSONValue][] {
  return w.ran.map(({ tool, args }) => [tool, args]);
}

/** Fails unless every list of messages that the model got, and the one it would get next, is one a provider takes. */
export function assertValidHistory({ agent, model }: { readonly agent: Agent; readonly model: ScriptedModel }): void {
  for (const { messages } of model.calls) assertAlternates(messages);
  assertAlternates(agent.messages.map((message) => message.toJSON()));
}

/** Roles alternate from `user` on, and every tool use has exactly one result in the next message. */
export function assertAlternates(messages: readonly MessageData[]): void {
  const roles = messages.map(({ role }) => role);
  expect(roles).toEqual(roles.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')));
  for (const [index, message] of messages.entries()) {
    const asked = message.content.flatMap((block) => ('toolUse' in block ? [block.toolUse.toolUseId] : []));
    const answered = (messages[index + 1]?.content ?? []).flatMap((block) =>
      'toolResult' in block ? [block.toolResult.toolUseId] : [],
    );
    expect(new Set(asked).size).toBe(asked.length);
    expect(answered.toSorted()).toEqual(asked.toSorted());
  }
  for (const block of messages[0]?.content ?? []) expect('toolResult' in block).toBe(false);
}

/** The error that a promise rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** Fails unless building an agent is refused for a reason that the text names. */
export async function assertConfigError(promise: Promise<unknown>, text: RegExp): Promise<void> {
  const error = await failureOf(promise);
  expect(error).toBeInstanceOf(ConfigError);
  expect(String(error)).toMatch(text);
}
