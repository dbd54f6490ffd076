import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../core/errors.ts';
import { configTemplate } from '../init/templates.ts';
import { speak } from '../messages.ts';
import type { Config } from './config.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { loadConfig } from './load.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function load(toml: string): Config {
  writeFileSync(join(folder, 'tau.toml'), toml);
  return loadConfig(folder, undefined, speak('en'));
}

/** The messages of a configuration that is refused. */
function problems(toml: string): readonly string[] {
  try {
    load(toml);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('without a file the defaults hold', () => {
  expect(loadConfig(folder, undefined, speak('en'))).toEqual(DEFAULT_CONFIG);
});

test('every key is read, and paths start from the folder of the file', () => {
  const toml = `
[agent]
max_turns = 5
system_prompt = "Be brief."
timeout_seconds = 0.5
[ui]
language = "tr"
[model]
provider = "openai"
model_id = "qwen3"
base_url = "http://localhost:11434/v1"
api_key_env = "MY_KEY"
max_tokens = 100
temperature = 0
[tools]
modules = ["./tools.ts", "/abs/other.ts"]
[log]
level = "debug"
file = "logs/tau.log"
redact = ["password"]
[serve]
host = "0.0.0.0"
port = 8080
hosts = ["hub.local"]
public_url = "https://tau.example.com"
[store]
kind = "memory"
[[principals]]
id = "ada"
kind = "person"
roles = ["auditor"]
scopes = ["run", "decide"]
[[principals]]
id = "bot"
kind = "agent"
[policy]
requester_decides = false
[[policy.deciders]]
principal = "ada"
tiers = [2]
tools = ["unlock_door"]
[[policy.deciders]]
role = "family"
[audit]
redact = ["pin"]
retention_days = 90
[inbox]
timeout_seconds = 3600
`;
  expect(load(toml)).toEqual({
    file: join(folder, 'tau.toml'),
    agent: { maxTurns: 5, systemPrompt: 'Be brief.', timeoutSeconds: 0.5 },
    language: 'tr',
    model: {
      provider: 'openai',
      modelId: 'qwen3',
      baseUrl: 'http://localhost:11434/v1',
      apiKeyEnv: 'MY_KEY',
      maxTokens: 100,
      temperature: 0,
    },
    modules: [join(folder, 'tools.ts'), '/abs/other.ts'],
    log: { level: 'debug', file: join(folder, 'logs/tau.log'), redact: ['password'] },
    hub: {
      serve: { host: '0.0.0.0', port: 8080, hosts: ['hub.local'], publicUrl: 'https://tau.example.com' },
      store: { kind: 'memory' },
      principals: [
        { id: 'ada', kind: 'person', roles: ['auditor'], scopes: ['run', 'decide'] },
        { id: 'bot', kind: 'agent' },
      ],
      policy: {
        requesterDecides: false,
        deciders: [{ principal: 'ada', tiers: [2], tools: ['unlock_door'] }, { role: 'family' }],
      },
      audit: { redact: ['pin'], retentionDays: 90 },
      inbox: { timeoutSeconds: 3600 },
    },
  });
});

test.each(['en', 'tr'] as const)('what init writes in %s is a configuration', (language) => {
  expect(load(configTemplate(language, 'tools.ts'))).toMatchObject({ language, model: { provider: 'demo' } });
});

test.each([
  [
    '[agent]\nmax_turn = 3',
    "tau.toml:2: there is no key [agent] max_turn. Did you mean 'max_turns'? Known here: max_turns, system_prompt, timeout_seconds.",
  ],
  [
    '[agents]\nmax_turns = 3',
    "tau.toml:1: there is no section [agents]. Did you mean 'agent'? Known: [agent], [ui], [model], [tools], [log], [serve], [store], [principals], [policy], [audit], [inbox].",
  ],
  [
    'max_turns = 3',
    'tau.toml:1: there is no section [max_turns]. Known: [agent], [ui], [model], [tools], [log], [serve], [store], [principals], [policy], [audit], [inbox].',
  ],
  ['agent = 3', 'tau.toml:1: agent is 3; give a section: [agent] and keys below it.'],
  ['[agent]\n\nmax_turns = "ten"', 'tau.toml:3: [agent] max_turns is "ten"; give a whole number from 1 to 1000.'],
  ['[agent]\nmax_turns = 0', 'tau.toml:2: [agent] max_turns is 0; give a whole number from 1 to 1000.'],
  ['agent.max_turns = 1.5', 'tau.toml:1: [agent] max_turns is 1.5; give a whole number from 1 to 1000.'],
  ['[agent]\nsystem_prompt = 1', 'tau.toml:2: [agent] system_prompt is 1; give a text.'],
  [
    '[agent]\ntimeout_seconds = 0',
    'tau.toml:2: [agent] timeout_seconds is 0; give a number of seconds above 0, or leave it out to wait without limit.',
  ],
  [
    '[agent]\ntimeout_seconds = inf',
    'tau.toml:2: [agent] timeout_seconds is Infinity; give a number of seconds above 0, or leave it out to wait without limit.',
  ],
  ['[ui]\nlanguage = "de"', 'tau.toml:2: [ui] language is "de"; give "en" or "tr".'],
  [
    '[model]\nprovider = "gpt"',
    'tau.toml:2: [model] provider is "gpt"; give "demo", "bedrock", "anthropic", "openai" or "google".',
  ],
  [
    '[model]\nmodel_id = "x"',
    'tau.toml:1: [model] provider is (missing); give "demo", "bedrock", "anthropic", "openai" or "google".',
  ],
  [
    '[model]\nprovider = "openai"\nmodel_id = ""',
    'tau.toml:3: [model] model_id is ""; give a text, the name of the model at its provider.',
  ],
  [
    '[model]\nprovider = "openai"\nbase_url = "localhost"',
    'tau.toml:3: [model] base_url is "localhost"; give a URL such as "http://localhost:11434/v1".',
  ],
  [
    '[model]\nprovider = "openai"\nmax_tokens = -1',
    'tau.toml:3: [model] max_tokens is -1; give a whole number above 0.',
  ],
  ['[model]\nprovider = "openai"\ntemperature = 3', 'tau.toml:3: [model] temperature is 3; give a number from 0 to 2.'],
  [
    '[model]\nprovider = "openai"\napi_key_env = "sk-abc123"',
    'tau.toml:3: [model] api_key_env is "…"; give the name of an environment variable, such as "OPENAI_API_KEY".',
  ],
  [
    '[model]\nprovider = "openai"\napi_key = "sk-abc123"',
    'tau.toml:3: [model] api_key would put a secret into a file. Put it into an environment variable and name that in api_key_env.',
  ],
  [
    '[model]\nprovider = "google"\nbase_url = "http://x/v1"',
    'tau.toml:3: [model] base_url works only with provider = "openai"; the provider is "google".',
  ],
  ['[model]\nprovider = "openai"\nbase_url = "http://x/v1"', 'tau.toml:3: [model] base_url needs model_id.'],
  [
    '[tools]\nmodules = "./tools.ts"',
    'tau.toml:2: [tools] modules is "./tools.ts"; give a list of files, such as ["./tools.ts"].',
  ],
  ['[log]\nlevel = "loud"', 'tau.toml:2: [log] level is "loud"; give "debug", "info", "warn" or "error".'],
  ['[log]\nfile = 3', 'tau.toml:2: [log] file is 3; give a path, relative to the configuration file.'],
  [
    '[log]\nredact = "password"',
    'tau.toml:2: [log] redact is "password"; give a list of argument names or paths, such as ["password", "card.number"].',
  ],
  ['[agent]\nmax_turns = ', 'tau.toml:2:13: this is not TOML: invalid value.'],
])('%j is refused, with the place, the value and the fix', (toml, message) => {
  expect(problems(toml)).toEqual([message]);
});

test('all mistakes are told at once', () => {
  expect(problems('[agent]\nmax_turns = 0\nsystem_promt = ""\n[ui]\nlanguage = 1')).toHaveLength(3);
});

describe('a file that is named', () => {
  test('must be there', () => {
    expect(() => loadConfig(folder, 'nope.toml', speak('en'))).toThrow(
      "There is no configuration file nope.toml. 'tau init' writes one; 'tau chat --demo' needs none.",
    );
  });

  test('must be a file', () => {
    mkdirSync(join(folder, 'dir'));
    expect(() => loadConfig(folder, 'dir', speak('en'))).toThrow(
      /^The configuration file dir cannot be read: it is no regular/,
    );
  });
});
