import type { Scope } from '../../hub/index.ts';

/** One `[[policy.deciders]]` as it is written. */
export interface DeciderFile {
  readonly principal?: string | undefined;
  readonly role?: string | undefined;
  readonly tiers?: readonly (0 | 1 | 2)[] | undefined;
  readonly tools?: readonly string[] | undefined;
}

/** One `[[principals]]` as it is written. */
export interface PrincipalFile {
  readonly id: string;
  readonly kind?: 'person' | 'service' | 'agent' | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

/** The sections that `tau serve` reads, as they are written. */
export interface HubFile {
  readonly serve?:
    | {
        readonly host?: string | undefined;
        readonly port?: number | undefined;
        readonly hosts?: readonly string[] | undefined;
        readonly public_url?: string | undefined;
      }
    | undefined;
  readonly store?: { readonly kind?: 'sqlite' | 'memory' | undefined } | undefined;
  readonly principals?: readonly PrincipalFile[] | undefined;
  readonly policy?:
    | { readonly requester_decides?: boolean | undefined; readonly deciders?: readonly DeciderFile[] | undefined }
    | undefined;
  readonly audit?:
    | { readonly redact?: readonly string[] | undefined; readonly retention_days?: number | undefined }
    | undefined;
  readonly inbox?: { readonly timeout_seconds?: number | undefined } | undefined;
}
