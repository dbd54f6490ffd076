import { digestJson } from '../core/digest.ts';
import { mcpAddressOf } from './sdk-internals.ts';

/** One of the clients with an address. */
interface Source {
  readonly address: string;
  readonly nth: number;
}

const sources = new WeakMap<object, Source>();

/**
 * Who the tools of MCP clients come from, as catalog entries say it: the same in every process that is configured alike,
 * so that a parked approval outlives a restart, and never the same for two clients of one agent. Nothing in it is the
 * server's own word.
 *
 * It is the address of the server (the URL, or the command line) and, of the clients with that address, which one it is in
 * the order of `tools`. Clients with a transport of their own have no address and are told apart by their order alone.
 *
 * @param clients - All MCP clients of one agent.
 * @returns The source of each, in the same order.
 */
export function mcpSources(clients: readonly object[]): readonly string[] {
  const given = new Map<object, Source>();
  for (const client of clients) {
    const known = sources.get(client);
    const source = known === undefined || isAmong(known, given.values()) ? newSource(client, clients, given) : known;
    given.set(client, source);
    if (known === undefined) sources.set(client, source);
  }
  return [...given.values()].map((source) => digestJson({ ...source }));
}

/** The first of this address that is nobody else's in the list. */
function newSource(client: object, clients: readonly object[], given: ReadonlyMap<object, Source>): Source {
  const others = clients.flatMap((other) => given.get(other) ?? sources.get(other) ?? []);
  const address = mcpAddressOf(client);
  let nth = 0;
  while (isAmong({ address, nth }, others)) nth++;
  return { address, nth };
}

function isAmong({ address, nth }: Source, others: Iterable<Source>): boolean {
  return [...others].some((other) => other.address === address && other.nth === nth);
}
