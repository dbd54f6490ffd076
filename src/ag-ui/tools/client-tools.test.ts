import type { Tool as ClientTool } from '@ag-ui/core';
import { Agent, type Tool } from '@strands-agents/sdk';
import { buildAgent, tauTool } from 'strands-tau/strands';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  call,
  clientTool,
  lineLog,
  plainTool,
  registered,
  resultTexts,
} from '../../../test/ag-ui/tool-filter-fixture.ts';
import { isVouched } from '../../strands/guards.ts';
import { createProxyTool, isProxyTool, syncProxyTools } from './client-tools.ts';

function agentWith(...tools: readonly Tool[]): Agent {
  return new Agent({ model: new ScriptedModel([]), tools: [...tools], printer: false });
}

/** What a client may send whatever the type says. */
function fromWire(value: unknown): ClientTool {
  return value as ClientTool;
}

describe('createProxyTool', () => {
  it('stands for the declared tool: name, description, schema, mark', () => {
    const proxy = createProxyTool(clientTool('pick', { parameters: { type: 'object', properties: { a: {} } } }));
    const made = createProxyTool(clientTool('pick', { parameters: { type: 'object', title: undefined } }));
    expect(made.toolSpec.inputSchema).toStrictEqual({ type: 'object' });
    expect(proxy.toolSpec).toEqual({
      name: 'pick',
      description: 'Client pick.',
      inputSchema: { type: 'object', properties: { a: {} } },
    });
    expect({ name: proxy.name, description: proxy.description }).toEqual({ name: 'pick', description: 'Client pick.' });
    expect((proxy as unknown as Record<symbol, unknown>)[Symbol.for('@ag-ui/aws-strands.proxyTool')]).toBe(true);
    expect([isProxyTool(proxy), isProxyTool(plainTool('pick')), isProxyTool(undefined), isProxyTool(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('fills in an empty description and missing or unusable parameters', () => {
    const empty = { type: 'object', properties: {} };
    for (const description of ['', '  ', undefined, null, 7]) {
      const proxy = createProxyTool(fromWire({ name: 'pick', description }));
      expect([proxy.description, proxy.toolSpec.description]).toEqual([
        'Client-side tool: pick',
        'Client-side tool: pick',
      ]);
    }
    for (const parameters of [undefined, null, 'text', 3, []]) {
      expect(createProxyTool(fromWire({ name: 'pick', parameters })).toolSpec.inputSchema).toEqual(empty);
    }
  });

  it('cannot be turned into something else after it was vouched for', () => {
    const proxy = createProxyTool(clientTool('pick'));
    expect(isVouched(proxy)).toBe(true);
    expect(() => Object.assign(proxy, { stream: () => 'evil' })).toThrow(TypeError);
    expect(() => Object.assign(Object.getPrototypeOf(proxy), { stream: () => 'evil' })).toThrow(TypeError);
    expect(() => Object.assign(proxy, { name: 'delete' })).toThrow(TypeError);
  });

  it('passes a guarded agent and does nothing there', async () => {
    const model = new ScriptedModel([[call('pick')], [{ text: 'ok' }]]);
    const tau = await buildAgent({ model, tools: [] });
    syncProxyTools(tau.agent.toolRegistry, [clientTool('pick')], new Set());
    for await (const _event of tau.stream('go'));
    expect(model.offered).toEqual([['pick'], ['pick']]);
    expect(resultTexts(tau.agent)).toEqual(['Forwarded to client']);
  });
});

describe('syncProxyTools', () => {
  it('[C6.1] registers, refreshes and removes what the client declares', () => {
    const agent = agentWith(plainTool('read'));
    const { toolRegistry: registry } = agent;
    const log = lineLog();
    const first = syncProxyTools(registry, [clientTool('a'), clientTool('b')], new Set(), log);
    expect(first).toEqual(new Set(['a', 'b']));
    const refreshed = { type: 'object', properties: { now: { type: 'string' } } };
    const second = syncProxyTools(registry, [clientTool('b', { parameters: refreshed })], first, log);
    expect(second).toEqual(new Set(['b']));
    expect(registered(agent)).toEqual(['b', 'read']);
    expect(registry.get('b')?.toolSpec.inputSchema).toEqual(refreshed);
    expect(syncProxyTools(registry, [], second, log)).toEqual(new Set());
    expect(registered(agent)).toEqual(['read']);
    expect(log.lines).toEqual([]);
  });

  it('[T64] lets a tool of the server win, and its look-alikes too, with a warning', () => {
    const native = plainTool('delete_record');
    const agent = agentWith(native);
    const log = lineLog();
    const names = ['delete_record', 'delete-record', 'Delete_Record', 'DELETE-record'];
    expect(
      syncProxyTools(
        agent.toolRegistry,
        names.map((name) => clientTool(name)),
        new Set(),
        log,
      ),
    ).toEqual(new Set());
    expect(agent.toolRegistry.list()).toEqual([native]);
    expect(log.of('warn')).toHaveLength(4);
    expect(log.of('warn').every((line) => line.includes('shadows client-declared tool'))).toBe(true);
  });

  it('[T66] does not remove a tool of the server that a tracked name has become', () => {
    const native = plainTool('delete');
    const agent = agentWith(native);
    expect(syncProxyTools(agent.toolRegistry, [], new Set(['delete', 'gone']))).toEqual(new Set());
    expect(agent.toolRegistry.list()).toEqual([native]);
  });

  it('skips what cannot be a tool, with a warning, and takes the rest', () => {
    const agent = agentWith();
    const log = lineLog();
    const hostile = [
      '',
      'a b',
      'ä',
      '__proto__',
      'constructor',
      'x'.repeat(65),
      'new\nline',
      'strands_structured_output',
    ];
    const odd = [null, undefined, 7, {}, { name: 3 }, { name: ['a'] }].map(fromWire);
    const tools = [...hostile.map((name) => clientTool(name)), ...odd, clientTool('good'), clientTool('x'.repeat(64))];
    expect(syncProxyTools(agent.toolRegistry, tools, new Set(), log)).toEqual(new Set(['good', 'x'.repeat(64)]));
    expect(log.of('warn')).toHaveLength(hostile.length + odd.length);
    expect(log.lines.some((line) => line.includes('\n'))).toBe(false);
  });

  it('skips a schema that is no JSON or too deep for it, and a list without an end', () => {
    const agent = agentWith();
    const log = lineLog();
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`);
    const tools = [
      clientTool('deep', { parameters: deep }),
      clientTool('odd', { parameters: circular }),
      ...Array.from({ length: 1100 }, (_, index) => clientTool(`tool_${index}`)),
    ];
    expect(syncProxyTools(agent.toolRegistry, tools, new Set(), log).size).toBe(998);
    expect(log.of('warn')).toHaveLength(3);
  });

  it('takes the first of two that look alike', () => {
    const agent = agentWith();
    const log = lineLog();
    const tools = [
      clientTool('a_b', { description: 'first' }),
      clientTool('a_b'),
      clientTool('a-b'),
      clientTool('A_b'),
    ];
    expect(syncProxyTools(agent.toolRegistry, tools, new Set(), log)).toEqual(new Set(['a_b']));
    expect(agent.toolRegistry.get('a_b')?.description).toBe('first');
    expect(log.of('warn')).toHaveLength(3);
  });

  it('follows a client that renames a tool by a hyphen', () => {
    const agent = agentWith();
    const tracked = syncProxyTools(agent.toolRegistry, [clientTool('a_b')], new Set());
    expect(syncProxyTools(agent.toolRegistry, [clientTool('a-b')], tracked)).toEqual(new Set(['a-b']));
    expect(registered(agent)).toEqual(['a-b']);
  });

  it('[T65] keeps a proxy that parked calls go through, and skips its look-alikes', () => {
    const agent = agentWith();
    const { toolRegistry: registry } = agent;
    const tracked = syncProxyTools(registry, [clientTool('a_b')], new Set());
    const proxy = registry.get('a_b');
    const log = lineLog();
    const exemptNames = new Set(['a_b']);
    const kept = syncProxyTools(registry, [clientTool('a-b')], tracked, log, { exemptNames });
    expect(kept).toEqual(new Set(['a_b']));
    expect(registry.list()).toEqual([proxy]);
    expect(log.of('warn')).toHaveLength(1);
    expect(syncProxyTools(registry, [clientTool('a-b')], kept, log)).toEqual(new Set(['a-b']));
  });

  it('gives no reserved name away, nor a look-alike of one', () => {
    const agent = agentWith();
    const log = lineLog();
    const tools = [clientTool('delete-it'), clientTool('DELETE_IT'), clientTool('delete_it'), clientTool('other')];
    const options = { reservedNames: ['delete_it'] };
    expect(syncProxyTools(agent.toolRegistry, tools, new Set(), log, options)).toEqual(new Set(['other']));
    expect(log.of('warn')).toHaveLength(3);
  });

  it('does not stop an agent that gives structured output', async () => {
    const model = new ScriptedModel([[{ toolUse: { name: 'strands_structured_output', input: { ok: true } } }]]);
    const agent = new Agent({ model, printer: false, structuredOutputSchema: z.object({ ok: z.boolean() }) });
    syncProxyTools(agent.toolRegistry, [clientTool('strands_structured_output')], new Set(), lineLog());
    const result = await agent.invoke('go');
    expect(result.structuredOutput).toEqual({ ok: true });
  });

  it('never takes the name of a guarded tool', async () => {
    const ran: unknown[] = [];
    const guarded = tauTool({
      name: 'unlock',
      description: 'Unlocks.',
      inputSchema: z.object({}),
      tier: 0,
      callback: () => void ran.push(1),
    });
    const model = new ScriptedModel([[call('unlock')], [{ text: 'ok' }]]);
    const tau = await buildAgent({ model, tools: [guarded] });
    syncProxyTools(tau.agent.toolRegistry, [clientTool('unlock'), clientTool('Unlock')], new Set(), lineLog());
    for await (const _event of tau.stream('go'));
    expect(ran).toEqual([1]);
  });
});
