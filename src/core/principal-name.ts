import type { Principal } from './call.ts';

/** The header in which a request of the hub's page says whom the page shows as signed in. */
export const PRINCIPAL_HEADER = 'X-Tau-Principal';

/**
 * Names a principal where only ASCII may stand, such as in a header: `person:ada`. The id is percent-encoded, so that two
 * principals never share a name.
 */
export function principalName({ id, kind }: Pick<Principal, 'id'> & { readonly kind?: string | undefined }): string {
  return `${kind ?? ''}:${encodeURIComponent(id.toWellFormed())}`;
}
