import { Agent } from '@strands-agents/sdk';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../core/errors.ts';
import { ScriptedModel } from '../testing/index.ts';
import { StrandsAgent } from './strands-agent.ts';

const lines: string[] = [];
const logger = { debug: () => undefined, warn: (line: string) => void lines.push(line), error: () => undefined };

/** Makes a bridge of settings that a program in JavaScript may have written down. */
function made(config: unknown, more: object = {}): () => StrandsAgent {
  const agent = new Agent({ model: new ScriptedModel([]), printer: false });
  return () => new StrandsAgent({ agent, name: 'x', config: config as object, ...more });
}

function problem(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return 'none';
}

describe('[C2.5] settings of a bridge', () => {
  test.each([
    ['templateToolProvider', 'templateToolsProvider'],
    ['sessionManagersProvider', 'sessionManagerProvider'],
    ['toolBehaviours', 'toolBehaviors'],
    ['maxThread', 'maxThreads'],
  ])('%s does not exist and is refused, with the name that was meant', (name, meant) => {
    expect(problem(made({ logger, [name]: () => [] }))).toMatch(
      `StrandsAgent config: unknown option '${name}' (did you mean '${meant}'?); known are toolBehaviors, `,
    );
  });

  test('that nothing is like is refused too, also under a name that every object has', () => {
    expect(problem(made({ zzz: 1 }))).toMatch(/^StrandsAgent config: unknown option 'zzz'; known are /);
    expect(problem(made({ constructor: 1 }))).toMatch(/^StrandsAgent config: unknown option 'constructor'/);
  });

  test.each<[object, string]>([
    [{ maxThreads: -1 }, "option 'maxThreads' must be a number from 0 on, not -1"],
    [{ maxThreads: Number.NaN }, "option 'maxThreads' must be a number from 0 on, not NaN"],
    [{ maxThreads: '10' }, `option 'maxThreads' must be a number from 0 on, not "10"`],
    [{ threadIdleSeconds: Infinity }, "option 'threadIdleSeconds' must be a number from 0 on, not Infinity"],
    [{ finishToolsSeconds: -0.5 }, "option 'finishToolsSeconds' must be a number from 0 on or Infinity, not -0.5"],
    [{ messagesSnapshot: 'never' }, `option 'messagesSnapshot' must be one of 'boundaries', 'run', 'off', not "never"`],
    [
      { approvalReason: 'approval' },
      `option 'approvalReason' must be one of 'tau:approval', 'tool_call', not "approval"`,
    ],
    [{ emitChunkEvents: 'yes' }, `option 'emitChunkEvents' must be a boolean, not "yes"`],
    [{ templateToolsProvider: ['read'] }, "option 'templateToolsProvider' must be a function, not a list"],
    [{ sessionManagerProvider: null }, "option 'sessionManagerProvider' must be a function, not null"],
    [{ toolBehaviors: new Map() }, "option 'toolBehaviors' must be a record, not object"],
    [{ toolProducers: {} }, "option 'toolProducers' must be a list, not object"],
    [{ logger: () => undefined }, "option 'logger' must be an object, not function"],
    [{ logger: {} }, 'the logger has no debug, warn, error'],
  ])('%j is refused', (config, text) => {
    expect(problem(made(config))).toBe(`StrandsAgent config: ${text}`);
  });

  test('of a tool are checked like those of the bridge', () => {
    const asked = (behavior: unknown): string => problem(made({ toolBehaviors: { 'rm -rf': behavior } }));
    expect(asked({ interruptOnCalls: true })).toMatch(
      `StrandsAgent config.toolBehaviors["rm -rf"]: unknown option 'interruptOnCalls' (did you mean 'interruptOnCall'?)`,
    );
    expect(asked({ interruptOnCall: 1 })).toMatch("option 'interruptOnCall' must be a boolean, not 1");
    expect(asked({ predictState: 'document' })).toMatch("option 'predictState' must be an object or list");
    expect(asked(true)).toMatch('the options are no object');
    expect(asked(undefined)).toBe('none');
  });

  test('that fit are taken, also those that are not served, which are warned of', () => {
    const config = {
      logger,
      toolBehaviors: { a: { predictState: [], interruptOnCall: true } },
      maxThreads: 0,
      threadIdleSeconds: 0.5,
      finishToolsSeconds: Infinity,
      messagesSnapshot: 'off',
      sessionManagerProvider: undefined,
      a2ui: {},
      urlFetchPolicy: { maxBytes: 1 },
    };
    expect(problem(made(config))).toBe('none');
    expect(lines).toContain('a2ui, urlFetchPolicy: not supported; the setting does nothing');
  });

  test('beside the config are checked as well', () => {
    expect(problem(made({}, { agentByThread: new Map() }))).toMatch(
      "StrandsAgent: unknown option 'agentByThread' (did you mean 'agentsByThread'?)",
    );
    expect(problem(made({}, { agentsByThread: {} }))).toBe(
      "StrandsAgent: option 'agentsByThread' must be a map, not object",
    );
    expect(problem(made({}, { plugins: new Set() }))).toBe("StrandsAgent: option 'plugins' must be a list, not object");
    expect(problem(made(null))).toBe("StrandsAgent: option 'config' must be a record, not null");
    expect(problem(made({}, { templateToolsProvider: () => [] }))).toMatch(/^StrandsAgent: unknown option/);
  });
});
