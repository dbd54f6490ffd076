import { z } from 'zod';
import { SCOPES } from '../../hub/auth/scopes.ts';
import type { CliMessageKey } from '../messages.ts';

/** A host name or address, perhaps with a port, but no URL. */
const hostName = z.string().regex(/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/);

const texts = z.array(z.string().min(1));

const decider = z.strictObject({
  principal: z.string().min(1).optional(),
  role: z.string().min(1).optional(),
  tiers: z.array(z.literal([0, 1, 2])).optional(),
  tools: texts.optional(),
});

const principal = z.strictObject({
  id: z.string().min(1).max(200),
  kind: z.enum(['person', 'service', 'agent']).optional(),
  roles: texts.optional(),
  scopes: z.array(z.enum(SCOPES)).optional(),
});

/** The sections of `tau.toml` that `tau serve` reads; of lists of tables, one row. */
export const hubSections = {
  serve: z.strictObject({
    host: z.string().min(1).optional(),
    port: z.int().min(0).max(65_535).optional(),
    hosts: z.array(hostName).optional(),
    public_url: z.url({ protocol: /^https?$/ }).optional(),
  }),
  store: z.strictObject({ kind: z.enum(['sqlite', 'memory']).optional() }),
  principals: principal,
  policy: z.strictObject({ requester_decides: z.boolean().optional(), deciders: z.array(decider).optional() }),
  'policy.deciders': decider,
  audit: z.strictObject({ redact: texts.optional(), retention_days: z.number().positive().optional() }),
  inbox: z.strictObject({ timeout_seconds: z.number().positive().optional() }),
} as const;

/** Name of a section that `tau serve` reads. */
export type HubSectionName = keyof typeof hubSections;

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** One `[[policy.deciders]]` as it is written. */
export type DeciderFile = Optional<z.infer<typeof decider>>;

/** One `[[principals]]` as it is written. */
export type PrincipalFile = z.infer<typeof principal>;

/** The sections that `tau serve` reads, as they are written. */
export interface HubFile {
  readonly serve?: z.infer<typeof hubSections.serve> | undefined;
  readonly store?: z.infer<typeof hubSections.store> | undefined;
  readonly principals?: readonly PrincipalFile[] | undefined;
  readonly policy?: z.infer<typeof hubSections.policy> | undefined;
  readonly audit?: z.infer<typeof hubSections.audit> | undefined;
  readonly inbox?: z.infer<typeof hubSections.inbox> | undefined;
}

/** What may stand at the keys of these sections. */
export const HUB_EXPECTED: readonly CliMessageKey[] = [
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
