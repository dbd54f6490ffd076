import type { HubPrincipal } from '../../hub/index.ts';

/** The one principal of a configuration that names none. */
export const OWNER: HubPrincipal = Object.freeze({ id: 'owner', kind: 'person' });

/** Somebody, by id or by role, who may decide other people's questions. */
export interface Decider {
  readonly principal?: string;
  readonly role?: string;
  /** Only questions of these tiers; absent means all. */
  readonly tiers?: readonly number[];
  /** Only questions about these tools; absent means all. */
  readonly tools?: readonly string[];
}
