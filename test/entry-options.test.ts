import { ConfigError, Inbox, ParkingApprover, TierGate, ToolCatalog } from 'strands-tau';
import { TerminalApprover, TerminalChannel } from 'strands-tau/channels/terminal';
import { createHub } from 'strands-tau/hub';
import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { buildAgent } from 'strands-tau/strands';
import { ManualClock, ScriptedApprover, ScriptedModel } from 'strands-tau/testing';
import { describe, expect, it } from 'vitest';
import { quietLogger } from './support/strands.ts';

const { logger } = quietLogger();
const person = { id: 'ada', kind: 'person' } as const;
const agent = await buildAgent({ model: new ScriptedModel([]), approver: new ParkingApprover(), logger });

/** Everything that takes options, each with those it needs; the given ones are what a program in JavaScript wrote down. */
const TAKERS = {
  TierGate: (options) => new TierGate({ catalog: new ToolCatalog(), logger, ...options }),
  ParkingApprover: (options) => new ParkingApprover(options),
  Inbox: (options) => new Inbox({ channels: [new TerminalChannel({ person })], ...options }),
  TerminalApprover: (options) => new TerminalApprover(options),
  TerminalChannel: (options) => new TerminalChannel({ person, ...options }),
  MemoryApprovalStore: (options) => new MemoryApprovalStore(options),
  'SqliteStore.open': (options) => SqliteStore.open(':memory:', options),
  createHub: (options) => createHub({ agent, principals: [{ ...person, scopes: ['run'] }], logger, ...options }),
} satisfies Record<string, (options: object) => unknown>;

type Taker = keyof typeof TAKERS;

function problem(taker: Taker, options: object): string {
  try {
    TAKERS[taker](options);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return 'none';
}

describe('[G6] an option that would be silently ignored', () => {
  it.each<[Taker, string, string]>([
    ['TierGate', 'timeoutSecond', 'timeoutSeconds'],
    ['TierGate', 'polciy', 'policy'],
    ['TierGate', 'aprover', 'approver'],
    ['ParkingApprover', 'timeoutSecond', 'timeoutSeconds'],
    ['Inbox', 'wait', 'waits'],
    ['TerminalApprover', 'langauge', 'language'],
    ['TerminalChannel', 'timeoutSecs', 'timeoutSeconds'],
    ['MemoryApprovalStore', 'keepSetled', 'keepSettled'],
    ['SqliteStore.open', 'redakt', 'redact'],
    ['createHub', 'redakt', 'redact'],
    ['createHub', 'auditDecisions', 'auditsDecisions'],
  ])('%s refuses %s, and says what was meant', (taker, name, meant) => {
    expect(problem(taker, { [name]: 1 })).toContain(
      `${taker}: unknown option '${name}' (did you mean '${meant}'?); known are `,
    );
  });

  it.each(Object.keys(TAKERS) as Taker[])('%s takes none that it does not know, and all that are left out', (taker) => {
    expect(problem(taker, { zzzzzz: 1 })).toMatch(`${taker}: unknown option 'zzzzzz'; known are `);
    expect(problem(taker, { logger: undefined })).toMatch(/^none$|unknown option 'logger'/);
    expect(problem(taker, {})).toBe('none');
  });
});

describe('[G6] an option that is none', () => {
  it.each<[Taker, object, string]>([
    ['createHub', { expirySeconds: Number.NaN }, "option 'expirySeconds' must be a positive number, not NaN"],
    ['createHub', { expirySeconds: -5 }, "option 'expirySeconds' must be a positive number, not -5"],
    ['createHub', { shutdownSeconds: Number.NaN }, "option 'shutdownSeconds' must be a number from 0 on, not NaN"],
    ['createHub', { bodyLimit: 0 }, "option 'bodyLimit' must be a positive number, not 0"],
    ['createHub', { keepAliveSeconds: 0 }, "option 'keepAliveSeconds' must be a positive number up to 2147483, not 0"],
    [
      'createHub',
      { keepAliveSeconds: 3e6 },
      "option 'keepAliveSeconds' must be a positive number up to 2147483, not 3000000",
    ],
    ['createHub', { redact: 'password' }, `option 'redact' must be a list, not "password"`],
    ['createHub', { language: 'de' }, `option 'language' must be one of 'en', 'tr', not "de"`],
    ['SqliteStore.open', { lockTimeoutMs: Number.NaN }, "option 'lockTimeoutMs' must be a number from 0 on, not NaN"],
    ['MemoryApprovalStore', { keepSettled: -1 }, "option 'keepSettled' must be a number from 0 on or Infinity, not -1"],
    ['ParkingApprover', { timeoutSeconds: 0 }, "option 'timeoutSeconds' must be a positive number, not 0"],
    [
      'TerminalChannel',
      { timeoutSeconds: Infinity },
      "option 'timeoutSeconds' must be a positive number, not Infinity",
    ],
    ['TierGate', { redact: 'password' }, `option 'redact' must be a list, not "password"`],
    ['TierGate', { approver: 'ada' }, `option 'approver' must be an object, not "ada"`],
  ])('%s refuses %j', (taker, options, text) => {
    expect(problem(taker, options)).toBe(`${taker}: ${text}`);
  });

  it.each(['timeoutSeconds', 'useWithinSeconds'])('TierGate refuses a %s that is no time', (name) => {
    for (const value of [0, -1, Number.NaN, Infinity, '3'])
      expect(problem('TierGate', { [name]: value })).toBe(
        `${name} is ${value}; give a positive number of seconds, or leave it out for no limit`,
      );
  });
});

describe('[S8] an option of buildAgent', () => {
  const build = (options: object): Promise<unknown> =>
    buildAgent({ model: new ScriptedModel([]), approver: new ScriptedApprover([]), logger, ...options });

  it.each([
    ['polciy', 'policy'],
    ['aprover', 'approver'],
    ['timeoutSecond', 'timeoutSeconds'],
    ['redakt', 'redact'],
    ['guards', 'guard'],
    ['Store', 'store'],
  ])('that is one slip away from one of ours is refused: %s', async (name, meant) => {
    const failed = await build({ [name]: {} }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ConfigError);
    expect(failed).toMatchObject({ message: `buildAgent: unknown option '${name}' (did you mean '${meant}'?)` });
  });

  it("is the SDK's, also one that a later SDK may add", async () => {
    const ofTheSdk = { name: 'x', id: 'y', storage: undefined, printer: false, appState: {}, sandbox: false } as const;
    const later = { maxTokens: 1, modelId: 'm', conversationId: 'c', storages: [], clients: [], steering: {} };
    await expect(build({ ...ofTheSdk, ...later, clock: new ManualClock() })).resolves.toBeDefined();
  });
});
