import { z } from 'zod';
import { SCOPES } from '../../hub/auth/scopes.ts';
import type { CliMessageKey } from '../messages.ts';
import type { HubFile } from './hub-file.ts';

/** The models that a configuration can name. */
export const PROVIDERS = ['demo', 'bedrock', 'anthropic', 'openai', 'google'] as const;

/** Where the model comes from. */
export type Provider = (typeof PROVIDERS)[number];

/** The name of an environment variable, and not a key that was pasted in its place. */
const variableName = z.string().regex(/^[A-Z_][A-Z0-9_]{0,63}$/);

/** A host name or address, perhaps with a port, but no URL. */
const hostName = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/);

const texts = z.array(z.string().min(1));

const decider = z.strictObject({
  principal: z.string().min(1).optional(),
  role: z.string().min(1).optional(),
  tiers: z.array(z.literal([0, 1, 2])).optional(),
  tools: texts.optional(),
});

/** Of a section that is a list of tables, one row. */
const sections = {
  agent: z.strictObject({
    max_turns: z.int().min(1).max(1000).optional(),
    system_prompt: z.string().optional(),
    timeout_seconds: z.number().positive().optional(),
  }),
  ui: z.strictObject({ language: z.enum(['en', 'tr']).optional() }),
  model: z.strictObject({
    provider: z.enum(PROVIDERS),
    model_id: z.string().min(1).optional(),
    base_url: z.url({ protocol: /^https?$/ }).optional(),
    api_key_env: variableName.optional(),
    max_tokens: z.int().positive().optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
  tools: z.strictObject({ modules: z.array(z.string().min(1)).optional() }),
  log: z.strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).optional(),
    file: z.string().min(1).optional(),
    redact: z.array(z.string().min(1)).optional(),
  }),
  serve: z.strictObject({
    host: z.string().min(1).optional(),
    port: z.int().min(0).max(65_535).optional(),
    hosts: z.array(hostName).optional(),
    public_url: z.url({ protocol: /^https?$/ }).optional(),
  }),
  store: z.strictObject({ kind: z.enum(['sqlite', 'memory']).optional() }),
  principals: z.strictObject({
    id: z.string().min(1).max(200),
    kind: z.enum(['person', 'service', 'agent']).optional(),
    roles: texts.optional(),
    scopes: z.array(z.enum(SCOPES)).optional(),
  }),
  policy: z.strictObject({ requester_decides: z.boolean().optional(), deciders: z.array(decider).optional() }),
  'policy.deciders': decider,
  audit: z.strictObject({ redact: texts.optional(), retention_days: z.number().positive().optional() }),
  inbox: z.strictObject({ timeout_seconds: z.number().positive().optional() }),
};

/** Name of a section of `tau.toml`. */
export type SectionName =
  | 'agent'
  | 'ui'
  | 'model'
  | 'tools'
  | 'log'
  | 'serve'
  | 'store'
  | 'principals'
  | 'policy'
  | 'policy.deciders'
  | 'audit'
  | 'inbox';

/** `tau.toml` as it is written. */
export interface ConfigFile extends HubFile {
  readonly agent?:
    | {
        readonly max_turns?: number | undefined;
        readonly system_prompt?: string | undefined;
        readonly timeout_seconds?: number | undefined;
      }
    | undefined;
  readonly ui?: { readonly language?: 'en' | 'tr' | undefined } | undefined;
  readonly model?:
    | {
        readonly provider: Provider;
        readonly model_id?: string | undefined;
        readonly base_url?: string | undefined;
        readonly api_key_env?: string | undefined;
        readonly max_tokens?: number | undefined;
        readonly temperature?: number | undefined;
      }
    | undefined;
  readonly tools?: { readonly modules?: readonly string[] | undefined } | undefined;
  readonly log?:
    | {
        readonly level?: 'debug' | 'info' | 'warn' | 'error' | undefined;
        readonly file?: string | undefined;
        readonly redact?: readonly string[] | undefined;
      }
    | undefined;
}

/** The shape of `tau.toml`. */
export const fileSchema: z.ZodType<ConfigFile> = z.strictObject({
  agent: sections.agent.optional(),
  ui: sections.ui.optional(),
  model: sections.model.optional(),
  tools: sections.tools.optional(),
  log: sections.log.optional(),
  serve: sections.serve.optional(),
  store: sections.store.optional(),
  principals: z.array(sections.principals).optional(),
  policy: sections.policy.optional(),
  audit: sections.audit.optional(),
  inbox: sections.inbox.optional(),
});

/** The keys of each section. */
export const KEYS: Readonly<Record<SectionName, readonly string[]>> = {
  agent: Object.keys(sections.agent.shape),
  ui: Object.keys(sections.ui.shape),
  model: Object.keys(sections.model.shape),
  tools: Object.keys(sections.tools.shape),
  log: Object.keys(sections.log.shape),
  serve: Object.keys(sections.serve.shape),
  store: Object.keys(sections.store.shape),
  principals: Object.keys(sections.principals.shape),
  policy: Object.keys(sections.policy.shape),
  'policy.deciders': Object.keys(sections['policy.deciders'].shape),
  audit: Object.keys(sections.audit.shape),
  inbox: Object.keys(sections.inbox.shape),
};

/** Whether `name` is a section. */
export function isSection(name: string): name is SectionName {
  return Object.hasOwn(KEYS, name);
}

/** What may stand at a key, for a message; only of keys that exist. */
export function expectedAt(section: SectionName, key: string): CliMessageKey {
  const messages: readonly CliMessageKey[] = [
    'expected.agent.max_turns',
    'expected.agent.system_prompt',
    'expected.agent.timeout_seconds',
    'expected.ui.language',
    'expected.model.provider',
    'expected.model.model_id',
    'expected.model.base_url',
    'expected.model.api_key_env',
    'expected.model.max_tokens',
    'expected.model.temperature',
    'expected.tools.modules',
    'expected.log.level',
    'expected.log.file',
    'expected.log.redact',
    'expected.serve.host',
    'expected.serve.port',
    'expected.serve.hosts',
    'expected.serve.public_url',
    'expected.store.kind',
    'expected.principals.id',
    'expected.principals.kind',
    'expected.principals.roles',
    'expected.principals.scopes',
    'expected.policy.requester_decides',
    'expected.policy.deciders',
    'expected.policy.deciders.principal',
    'expected.policy.deciders.role',
    'expected.policy.deciders.tiers',
    'expected.policy.deciders.tools',
    'expected.audit.redact',
    'expected.audit.retention_days',
    'expected.inbox.timeout_seconds',
  ];
  return messages.find((message) => message === `expected.${section}.${key}`) ?? 'expected.section';
}
