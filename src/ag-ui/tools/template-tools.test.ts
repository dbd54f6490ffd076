import { Agent, type Tool } from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { clientTool, lineLog, plainTool, registered } from '../../../test/ag-ui/tool-filter-fixture.ts';
import { createProxyTool } from './client-tools.ts';
import { EVERY_TEMPLATE_TOOL } from './parked-batch.ts';
import { syncTemplateTools } from './template-tools.ts';

const read = plainTool('read');
const remove = plainTool('delete');
const TEMPLATE = [read, remove];

function agentWith(...tools: readonly Tool[]): Agent {
  return new Agent({ model: new ScriptedModel([]), tools: [...tools], printer: false });
}

/** A tool that carries the mark of the peer's own injected tool. */
function injected(name: string): Tool {
  return Object.assign(plainTool(name), { [Symbol.for('@ag-ui/aws-strands.a2uiAutoInjected')]: true });
}

describe('[T75] syncTemplateTools', () => {
  it('leaves what is selected and returns what the registry holds', () => {
    const agent = agentWith(...TEMPLATE);
    const { toolRegistry: registry } = agent;
    expect(syncTemplateTools(registry, TEMPLATE, ['read'])).toEqual(new Set(['read']));
    expect(registered(agent)).toEqual(['read']);
    expect(syncTemplateTools(registry, TEMPLATE, [])).toEqual(new Set());
    expect(registered(agent)).toEqual([]);
    expect(syncTemplateTools(registry, TEMPLATE, null)).toEqual(new Set(['read', 'delete']));
    expect(syncTemplateTools(registry, TEMPLATE, undefined)).toEqual(new Set(['read', 'delete']));
  });

  it('[T56] brings back the same instance', () => {
    const agent = agentWith(...TEMPLATE);
    syncTemplateTools(agent.toolRegistry, TEMPLATE, []);
    syncTemplateTools(agent.toolRegistry, TEMPLATE, null);
    expect(agent.toolRegistry.get('delete')).toBe(remove);
  });

  it('[T13] never registers an object of the selection', () => {
    const agent = agentWith();
    syncTemplateTools(agent.toolRegistry, TEMPLATE, [plainTool('read')]);
    expect(agent.toolRegistry.get('read')).toBe(read);
  });

  it('[T18, T24] changes nothing when the selection cannot be read', () => {
    const agent = agentWith(...TEMPLATE);
    const broken = function* (): Generator<string> {
      yield 'read';
      throw new Error('gone');
    };
    expect(() => syncTemplateTools(agent.toolRegistry, TEMPLATE, 'read')).toThrow(/one character/);
    expect(() => syncTemplateTools(agent.toolRegistry, TEMPLATE, broken())).toThrow('gone');
    expect(registered(agent)).toEqual(['delete', 'read']);
  });

  it('[T43, T44] keeps an exempt tool, or brings it back', () => {
    const agent = agentWith(...TEMPLATE);
    const exemptNames = new Set(['delete']);
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, [], { exemptNames })).toEqual(new Set(['delete']));
    expect(agent.toolRegistry.list()).toEqual([remove]);
    agent.toolRegistry.remove('delete');
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, [], { exemptNames })).toEqual(new Set(['delete']));
    expect(agent.toolRegistry.list()).toEqual([remove]);
  });

  it('[T41] keeps all of them when anything may be parked', () => {
    const agent = agentWith(read);
    const options = { exemptNames: EVERY_TEMPLATE_TOOL } as const;
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, [], options)).toEqual(new Set(['read', 'delete']));
  });

  it('[T71] ignores a tool without a name', () => {
    const agent = agentWith(read);
    const nameless = Object.defineProperty(plainTool('x'), 'name', { value: '' });
    const unnamed = Object.defineProperty(plainTool('y'), 'name', { value: undefined });
    expect(syncTemplateTools(agent.toolRegistry, [nameless, unnamed, read], null)).toEqual(new Set(['read']));
    expect(registered(agent)).toEqual(['read']);
  });
});

describe('Whose an entry is', () => {
  it('[T67] is known by elimination when the template was built anew', () => {
    const agent = agentWith(plainTool('read'), plainTool('delete'));
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, [])).toEqual(new Set());
    expect(registered(agent)).toEqual([]);
  });

  it('[T68] stays as it is when it is allowed', () => {
    const older = plainTool('read');
    const agent = agentWith(older);
    expect(syncTemplateTools(agent.toolRegistry, [read], ['read'])).toEqual(new Set(['read']));
    expect(agent.toolRegistry.list()).toEqual([older]);
    expect(agent.toolRegistry.get('read')).toBe(older);
  });

  it('[T69] is the name after a reload', () => {
    const agent = agentWith(...TEMPLATE);
    agent.toolRegistry.addOrReplace([plainTool('delete')]);
    syncTemplateTools(agent.toolRegistry, TEMPLATE, ['read']);
    expect(registered(agent)).toEqual(['read']);
  });

  it('[T70] is the new wrapper after a deny', () => {
    const agent = agentWith(plainTool('read'));
    syncTemplateTools(agent.toolRegistry, [read], []);
    syncTemplateTools(agent.toolRegistry, [read], null);
    expect(agent.toolRegistry.get('read')).toBe(read);
  });

  it('[T59, T61] is the client when it is a proxy: a denied name stays with it', () => {
    const proxy = createProxyTool(clientTool('delete'));
    const agent = agentWith(read, proxy);
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, [])).toEqual(new Set());
    expect(agent.toolRegistry.list()).toEqual([proxy]);
  });

  it('[T60] is the producer when it is marked so, denied or allowed', () => {
    const tool = injected('delete');
    const agent = agentWith(tool);
    for (const selection of [[], null, ['delete']]) {
      expect(syncTemplateTools(agent.toolRegistry, [remove], selection)).toEqual(new Set());
      expect(agent.toolRegistry.get('delete')).toBe(tool);
    }
  });
});

describe('A name that a proxy holds', () => {
  it('[T62] is taken back by an allowed tool', () => {
    const agent = agentWith(createProxyTool(clientTool('delete')));
    expect(syncTemplateTools(agent.toolRegistry, TEMPLATE, ['delete'])).toEqual(new Set(['delete']));
    expect(agent.toolRegistry.get('delete')).toBe(remove);
  });

  it('[T65] stays with the proxy while a parked call goes through it', () => {
    const proxy = createProxyTool(clientTool('delete'));
    for (const selection of [['delete'], null, []]) {
      for (const exemptNames of [new Set(['delete']), EVERY_TEMPLATE_TOOL] as const) {
        const agent = agentWith(proxy);
        const log = lineLog();
        expect(syncTemplateTools(agent.toolRegistry, [remove], selection, { exemptNames, log })).toEqual(new Set());
        expect(agent.toolRegistry.get('delete')).toBe(proxy);
      }
    }
  });

  it('[T72] is taken back from a twin of it too', () => {
    const template = plainTool('delete_record');
    const agent = agentWith(createProxyTool(clientTool('delete-record')));
    expect(syncTemplateTools(agent.toolRegistry, [template], null)).toEqual(new Set(['delete_record']));
    expect(agent.toolRegistry.list()).toEqual([template]);
  });

  it('[T65, T72] is not taken from a twin that a parked call goes through', () => {
    const proxy = createProxyTool(clientTool('delete-record'));
    const agent = agentWith(proxy);
    const exemptNames = new Set(['delete-record']);
    expect(syncTemplateTools(agent.toolRegistry, [plainTool('delete_record')], null, { exemptNames })).toEqual(
      new Set(),
    );
    expect(agent.toolRegistry.list()).toEqual([proxy]);
  });

  it('is not taken from another tool of the server', () => {
    const native = plainTool('delete-record');
    const agent = agentWith(native);
    expect(syncTemplateTools(agent.toolRegistry, [plainTool('delete_record')], null)).toEqual(new Set());
    expect(agent.toolRegistry.list()).toEqual([native]);
  });
});
