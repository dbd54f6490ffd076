import type { HubPrincipal } from '../../hub/index.ts';
import type { DeciderFile, HubFile, PrincipalFile } from './hub-file.ts';
import { type Decider, OWNER } from './hub-principals.ts';

/** What `tau serve` reads of a configuration. */
export interface HubConfig {
  readonly serve: {
    readonly host: string;
    readonly port: number;
    readonly hosts: readonly string[];
    readonly publicUrl?: string;
  };
  readonly store: { readonly kind: 'sqlite' | 'memory' };
  readonly principals: readonly HubPrincipal[];
  readonly policy: { readonly requesterDecides: boolean; readonly deciders: readonly Decider[] };
  readonly audit: { readonly redact: readonly string[]; readonly retentionDays?: number };
  readonly inbox: { readonly timeoutSeconds?: number };
}

/** What holds without these sections. */
export const DEFAULT_HUB_CONFIG: HubConfig = toHubConfig({});

/** The sections that `tau serve` reads, with what holds where they say nothing. */
export function toHubConfig({ serve, store, principals, policy, audit, inbox }: HubFile): HubConfig {
  const publicUrl = serve?.public_url;
  const retentionDays = audit?.retention_days;
  const timeoutSeconds = inbox?.timeout_seconds;
  return {
    serve: {
      host: serve?.host ?? '127.0.0.1',
      port: serve?.port ?? 4173,
      hosts: serve?.hosts ?? [],
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
    store: { kind: store?.kind ?? 'sqlite' },
    principals: principals === undefined || principals.length === 0 ? [OWNER] : principals.map(toPrincipal),
    policy: {
      requesterDecides: policy?.requester_decides ?? true,
      deciders: (policy?.deciders ?? []).map(toDecider),
    },
    audit: { redact: audit?.redact ?? [], ...(retentionDays === undefined ? {} : { retentionDays }) },
    inbox: { ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) },
  };
}

function toPrincipal({ id, kind = 'person', roles, scopes }: PrincipalFile): HubPrincipal {
  return {
    id,
    kind,
    ...(roles === undefined ? {} : { roles }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

function toDecider({ principal, role, tiers, tools }: DeciderFile): Decider {
  return {
    ...(principal === undefined ? {} : { principal }),
    ...(role === undefined ? {} : { role }),
    ...(tiers === undefined ? {} : { tiers }),
    ...(tools === undefined ? {} : { tools }),
  };
}
