import { readFileSync } from 'node:fs';
import type { Message } from '@ag-ui/core';
import { Agent, TextBlock } from '@strands-agents/sdk';
import { ScriptedModel } from 'strands-tau/testing';
import ts from 'typescript';
import { describe, expect, test, vi } from 'vitest';
import { root } from '../../scripts/entries.ts';
import * as bridge from '../../src/ag-ui/index.ts';

/** What an entry file exports, types included. */
function exported(kind: 'value' | 'type', entry = 'src/ag-ui/index.ts'): ReadonlySet<string> {
  const file = ts.createSourceFile(entry, readFileSync(root + entry, 'utf8'), ts.ScriptTarget.Latest);
  const names = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) continue;
    if (!ts.isNamedExports(statement.exportClause)) continue;
    for (const { name, isTypeOnly } of statement.exportClause.elements) {
      const isType = statement.isTypeOnly || isTypeOnly;
      if (isType === (kind === 'type')) names.add(name.text);
    }
  }
  return names;
}

/** What `@ag-ui/aws-strands` 0.2.3 exports from its root. */
const PUBLISHED = [
  'A2UI_STREAM_KEY',
  'AWSStrandsAgent',
  'StrandsAgent',
  'buildContextExtras',
  'buildSnapshotMessages',
  'buildStrandsSeed',
  'convertAguiContentToStrands',
  'convertMessagesForStrandsSeed',
  'createProxyTool',
  'flattenContentToText',
  'getA2UITools',
  'isAutoInjectedA2UITool',
  'isProxyTool',
  'planA2UIInjection',
  'syncProxyTools',
];

/** What its later versions add. */
const ADDED = [
  'CITATIONS_METADATA_KEY',
  'DEFAULT_URL_FETCH_POLICY',
  'INTERRUPT_CANCELLED',
  'UrlFetchPolicyError',
  'parkedBatchToolNames',
  'syncTemplateTools',
];

/** Its types, of all versions. */
const TYPES = [
  'A2UIAttemptRecord',
  'A2UIInjectConfig',
  'A2UIInjectionPlan',
  'A2UIRenderStreamEvent',
  'A2UIToolGlue',
  'A2UIToolParams',
  'AguiCitation',
  'AguiCitationLocation',
  'ArgsStreamer',
  'CustomResultHandler',
  'Logger',
  'MaybePromise',
  'PlanA2UIInjectionInput',
  'PredictStateMapping',
  'SchemeAllowlist',
  'SessionManagerProvider',
  'StateContextBuilder',
  'StateFromArgs',
  'StateFromResult',
  'StatePayload',
  'StrandsAgentConfig',
  'StrandsAgentOptions',
  'StrandsAgentRunOptions',
  'StrandsToolRegistry',
  'TemplateToolSelectionEntry',
  'TemplateToolsProvider',
  'ThreadAgentConfigProvider',
  'ToolBehavior',
  'ToolCallContext',
  'ToolCallContextExtras',
  'ToolResultContext',
  'ToolStreamEventContext',
  'ToolStreamEventHandler',
  'UrlFetchPolicy',
];

/** What belongs to something that is not served; the guide names it. */
const UNSERVED = /A2UI|Citation|CITATION|Url|URL|Scheme/;

/** A class of a client: a server does not install one. */
const OF_CLIENTS = 'AWSStrandsAgent';

function served(names: readonly string[]): readonly string[] {
  return names.filter((name) => !UNSERVED.test(name) && name !== OF_CLIENTS);
}

function absent(names: readonly string[]): readonly string[] {
  return names.filter((name) => !served(names).includes(name));
}

/** The guide names each, or its family as `A2UI…`. */
function isNamed(guide: string, name: string): boolean {
  return (
    guide.includes(`\`${name}\``) || [...guide.matchAll(/`(\w+)…`/g)].some(([, stem = '']) => name.startsWith(stem))
  );
}

describe('The root of the bridge exports what the peer does', () => {
  test('[C1.1] the values of the published version', () => {
    expect(Object.keys(bridge)).toEqual(expect.arrayContaining([...served(PUBLISHED)]));
  });

  test('[C1.2] those that later versions add', () => {
    expect(Object.keys(bridge)).toEqual(expect.arrayContaining([...served(ADDED)]));
    expect(bridge.INTERRUPT_CANCELLED).toEqual({ cancelled: true });
    expect(Object.isFrozen(bridge.INTERRUPT_CANCELLED)).toBe(true);
  });

  test('[C1.3] its types', () => {
    const types = exported('type');
    expect(served(TYPES).filter((name) => !types.has(name))).toEqual([]);
  });

  test('[C1.1, C1.2, C1.3] and nothing in name only: what is not served is not there, and the guide names it', () => {
    const guide = readFileSync(`${root}docs/guide/moving-from-aws-strands.md`, 'utf8');
    const all = new Set([...exported('value'), ...exported('type')]);
    const missing = absent([...PUBLISHED, ...ADDED, ...TYPES]);
    expect(missing).toHaveLength(19);
    expect(missing.filter((name) => all.has(name))).toEqual([]);
    expect(missing.filter((name) => !isNamed(guide, name))).toEqual([]);
  });
});

test('[C1.4] The server entry exports the types of the peer’s', () => {
  const types = exported('type', 'src/ag-ui/http/index.ts');
  const expected = [
    'AddStrandsEndpointOptions',
    'CreateStrandsAppOptions',
    'StrandsAguiCapabilities',
    'StrandsAguiCapabilitiesOverrides',
    'StrandsAuthMiddleware',
  ];
  expect(expected.filter((name) => !types.has(name))).toEqual([]);
});

describe('[C1.1] The functions of the peer are called as there:', () => {
  const messages: Message[] = [
    { id: '1', role: 'user', content: 'hi' },
    { id: '2', role: 'assistant', content: 'hello' },
    { id: '3', role: 'user', content: [{ type: 'text', text: 'and this?' }, image()] },
  ];
  const said = [
    { role: 'user', content: [{ text: 'hi' }] },
    { role: 'assistant', content: [{ text: 'hello' }] },
  ];
  const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };

  function image() {
    return { type: 'image' as const, source: { type: 'url' as const, value: 'http://127.0.0.1:9/' } };
  }

  test('messages go in as a list, and promises come out', async () => {
    const seed = bridge.buildStrandsSeed(messages, log);
    const whole = bridge.convertMessagesForStrandsSeed(messages, log);
    const blocks = bridge.convertAguiContentToStrands([{ type: 'text', text: 'a' }, image()], log);
    for (const made of [seed, whole, blocks]) expect(made).toBeInstanceOf(Promise);
    expect(await seed).toEqual(said);
    expect(await whole).toEqual([...said, { role: 'user', content: [{ text: 'and this?' }] }]);
    expect(await blocks).toEqual([new TextBlock('a')]);
    expect(log.warn.mock.calls).toEqual(Array(3).fill(['Only text reaches the model; left out: image']));
  });

  test('a seed goes into an agent; one that cannot be read is a rejection with its code', async () => {
    const model = new ScriptedModel([[{ text: 'ok' }]]);
    const seed = await bridge.buildStrandsSeed(messages, log);
    const agent = new Agent({ model, printer: false, ...(seed === undefined ? {} : { messages: seed }) });
    await agent.invoke('and now?');
    expect(model.calls[0]?.messages).toHaveLength(3);
    expect(await bridge.buildStrandsSeed([])).toBeUndefined();
    await expect(bridge.buildStrandsSeed(JSON.parse('[null]'))).rejects.toMatchObject({ code: 'SEED_BUILD_ERROR' });
  });

  test('text is taken out of what a client wrote, and of what an agent said', () => {
    const client: unknown = [{ type: 'text', text: 'a' }, image(), { type: 'text', text: 'b' }];
    const agent: unknown = [new TextBlock('a'), { toolUse: { name: 'x' } }, { text: 'b' }];
    const texts = [client, agent, 'a b', undefined, null, 5, [null, 7]].map((content) =>
      bridge.flattenContentToText(content),
    );
    expect(texts).toEqual(['a b', 'a b', 'a b', '', '', '', '']);
  });
});
