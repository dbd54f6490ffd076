import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalRequest, Principal } from '../../core/call.ts';
import { speak } from '../messages.ts';
import { DEFAULT_HUB_CONFIG } from './hub-config.ts';
import { configuredPolicy } from './hub-policy.ts';
import { loadConfig } from './load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-hub-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function problem(toml: string): string {
  writeFileSync(join(folder, 'tau.toml'), toml);
  try {
    loadConfig(folder, undefined, speak('en'));
    return 'none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('[P18] the sections of the hub', () => {
  test('without them there is one owner on the loopback address, and SQLite', () => {
    expect(DEFAULT_HUB_CONFIG).toEqual({
      serve: { host: '127.0.0.1', port: 4173, hosts: [] },
      store: { kind: 'sqlite' },
      principals: [{ id: 'owner', kind: 'person' }],
      policy: { requesterDecides: true, deciders: [] },
      audit: { redact: [] },
      inbox: {},
    });
  });

  test.each([
    ['[serve]\nport = 70000', 'tau.toml:2: [serve] port is 70000; give a whole number from 0 to 65535.'],
    [
      '[serve]\nhosts = ["http://x"]',
      'tau.toml:2: [serve] hosts is ["http://x"]; give a list of host names that the hub answers to, such as ["hub.local"].',
    ],
    [
      '[serve]\npublic_url = "https://x.example/tau"',
      'tau.toml:2: [serve] public_url is "https://x.example/tau"; give the address that people open, without a path, such as "https://tau.example.com".',
    ],
    ['[store]\nkind = "postgres"', 'tau.toml:2: [store] kind is "postgres"; give "sqlite" or "memory".'],
    [
      '[[principals]]\nid = "ada"\n\n[[principals]]\nid = "bob"\nkind = "god"',
      'tau.toml:6: [[principals]] kind is "god"; give "person", "service" or "agent".',
    ],
    [
      '[[principals]]\nkind = "person"',
      'tau.toml:1: [[principals]] id is (missing); give a text, the name of the account.',
    ],
    [
      '[policy]\nrequester_decides = false',
      'tau.toml:2: with requester_decides = false and no [[policy.deciders]] nobody could ever approve. Add one.',
    ],
    [
      '[[principals]]\nid = "ada"\nrole = "x"',
      "tau.toml:3: there is no key [[principals]] role. Did you mean 'roles'? Known here: id, kind, roles, scopes.",
    ],
    [
      '[[principals]]\nid = "ada"\n[[principals]]\nid = "ada"',
      'tau.toml:4: [[principals]] id "ada" is there twice; rename one.',
    ],
    [
      '[[principals]]\nid = "bot"\nkind = "agent"\nscopes = ["decide"]',
      'tau.toml:4: principal \'bot\' is an agent and never decides; take "decide" out of its scopes, or change its kind.',
    ],
    ['principals = 3', 'tau.toml:1: principals is 3; give a section: [principals] and keys below it.'],
    [
      '[[policy.deciders]]\ntiers = [3]\nrole = "x"',
      'tau.toml:2: [[policy.deciders]] tiers is [3]; give a list of tiers, such as [2].',
    ],
    [
      '[[policy.deciders]]\nprincipal = "zed"',
      'tau.toml:2: [[policy.deciders]] principal is "zed"; give one of [[principals]]: owner.',
    ],
    [
      '[[policy.deciders]]\ntiers = [2]',
      'tau.toml:1: a [[policy.deciders]] has either principal or role; give one of them.',
    ],
    [
      '[audit]\nretention_days = 0',
      'tau.toml:2: [audit] retention_days is 0; give a number of days above 0, or leave it out to keep everything.',
    ],
  ])('%j is refused, with the place, the value and the fix', (toml, message) => {
    expect(problem(toml)).toBe(message);
  });
});

describe('[P7] the policy of a configuration', () => {
  const ada: Principal = { id: 'ada', kind: 'person' };
  const bob: Principal = { id: 'bob', kind: 'person', roles: ['family'] };
  const request = (tool: string, tier: 0 | 1 | 2 = 2): ApprovalRequest => ({
    id: 'q',
    tool,
    tier,
    effect: '',
    arguments: {},
    digest: '',
    origin: { kind: 'model', principal: ada },
  });

  test('lets the requester decide, and those that it names, by tier and tool', () => {
    const policy = configuredPolicy({
      requesterDecides: true,
      deciders: [{ role: 'family', tiers: [2], tools: ['pay'] }],
    });
    expect(policy.mayDecide(ada, request('unlock'))).toBe(true);
    expect(policy.mayDecide(bob, request('pay'))).toBe(true);
    expect(policy.mayDecide(bob, request('unlock'))).toBe(false);
    expect(policy.mayDecide(bob, request('pay', 1))).toBe(false);
    expect(policy.mayDecide({ id: 'family', kind: 'person' }, request('pay'))).toBe(false);
  });

  test('can keep the requester from deciding', () => {
    const policy = configuredPolicy({ requesterDecides: false, deciders: [{ principal: 'bob' }] });
    expect([policy.mayDecide(ada, request('pay')), policy.mayDecide(bob, request('pay'))]).toEqual([false, true]);
  });

  test('has a version that changes with its rules, and only with them', () => {
    const version = (deciders: Parameters<typeof configuredPolicy>[0]['deciders']): string =>
      configuredPolicy({ requesterDecides: true, deciders }).version;
    expect(version([{ role: 'x' }])).toBe(version([{ role: 'x' }]));
    expect(version([{ role: 'x' }])).not.toBe(version([{ principal: 'x' }]));
    expect(version([{ role: 'x', tiers: [2] }])).not.toBe(version([{ role: 'x', tiers: [1] }]));
  });
});
