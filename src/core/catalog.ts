import { ConfigError } from './errors.ts';
import { type JSONSchema, type JSONValue, sealJson } from './json.ts';
import { isTier, type Tier } from './tier.ts';

/** One tool as the gate knows it. */
export interface CatalogEntry {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly tier: Tier;
  /** One line by the author that says what a call does; a text, or a function of the frozen arguments. */
  readonly effect: string | ((args: JSONValue) => string);
  readonly inputSchema: JSONSchema;
  /**
   * Turns plain JSON input into what the tool takes, defaults included; throws what the model is to read. Without it
   * the arguments are taken as they come.
   */
  readonly parse?: (input: JSONValue) => unknown;
  readonly description?: string;
  /** The author's version; change it when the behaviour changes, so that older approvals no longer fit. */
  readonly version?: string;
  /**
   * Who provides a tool that comes from outside this process, such as one MCP server; a text that is the same in every
   * process. Absent for tools of the application.
   */
  readonly source?: string;
  /** Counted by the catalog: how often the tool of this name was withdrawn before. Absent when it never was. */
  readonly generation?: number;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools this process knows, by name. A name it does not hold is refused at the gate. */
export class ToolCatalog {
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #identities = new Map<string, string>();
  readonly #withdrawn = new Map<string, Withdrawn>();

  /**
   * Adds one tool. A name stays with the source that registered it first, also after it was withdrawn.
   *
   * @throws ConfigError when the tier is not 0, 1 or 2, the name is malformed, is a property of `Object.prototype`,
   *   differs from a registered one only in case or `-`/`_`, or belongs to another source.
   */
  register(entry: CatalogEntry): void {
    this.extend([entry]);
  }

  /** Adds all the tools or, when one of them is refused, none. Errors as in `register`. */
  extend(entries: Iterable<CatalogEntry>): void {
    const added = new Map<string, CatalogEntry>();
    for (const entry of entries) {
      const checked = this.#again(checkEntry(entry));
      const identity = identityOf(checked.name);
      const taken = this.#identities.get(identity) ?? added.get(identity)?.name;
      if (taken !== undefined) throw new ConfigError(duplicateText(checked.name, taken));
      added.set(identity, checked);
    }
    for (const [identity, entry] of added) {
      this.#identities.set(identity, entry.name);
      this.#entries.set(entry.name, entry);
    }
  }

  /**
   * Takes a tool out, because whoever provides it has withdrawn or changed it. Approvals of it are void from now on, also
   * when the very same tool is registered again: it is one of another generation. Other processes, and this one after a
   * restart, do not know of that.
   */
  withdraw(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    const identity = identityOf(name);
    this.#entries.delete(name);
    this.#identities.delete(identity);
    this.#withdrawn.set(identity, { source: entry.source, times: (entry.generation ?? 0) + 1 });
  }

  /** Whether a name is, or was before it was withdrawn, a tool of this source; `undefined` is the application. */
  belongsTo(name: string, source: string | undefined): boolean {
    const owner = this.#entries.get(name) ?? this.#withdrawn.get(identityOf(name));
    return owner !== undefined && owner.source === source;
  }

  /** What was withdrawn comes back from the same source only, and as another generation. */
  #again(entry: CatalogEntry): CatalogEntry {
    const before = this.#withdrawn.get(identityOf(entry.name));
    if (before === undefined) return entry;
    if (before.source !== entry.source) {
      throw new ConfigError(`Tool '${entry.name}' was somebody else's before it was withdrawn; choose another name`);
    }
    return Object.freeze({ ...entry, generation: before.times });
  }

  /** The entry of exactly this name. */
  get(name: string): CatalogEntry | undefined {
    return this.#entries.get(name);
  }

  /** All entries in the order of registration. */
  list(): readonly CatalogEntry[] {
    return [...this.#entries.values()];
  }
}

/** What is remembered of a tool that was withdrawn. */
interface Withdrawn {
  readonly source: string | undefined;
  readonly times: number;
}

/** Two names that a person or a provider could take for one share one identity. */
function identityOf(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}

function checkEntry(entry: CatalogEntry): CatalogEntry {
  const { name, tier, effect, inputSchema, parse, description, version, source } = entry;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new ConfigError(`Tool name ${quote(name)} is not valid: use 1 to 64 of A-Z a-z 0-9 _ -`);
  }
  if (isPrototypeName(name)) throw new ConfigError(`Tool name '${name}' is a property of every object; choose another`);
  if (!isTier(tier)) throw new ConfigError(`Tool '${name}' has tier ${quote(tier)}; a tier is the number 0, 1 or 2`);
  if (typeof effect !== 'function' && typeof effect !== 'string') {
    throw new ConfigError(`Tool '${name}' has no effect: give one line that says what a call does`);
  }
  if (tier === 2 && typeof effect === 'string' && effect.trim() === '') {
    throw new ConfigError(`Tool '${name}' has an empty effect; the person who is asked reads it`);
  }
  return Object.freeze({
    name,
    tier,
    effect,
    inputSchema: sealSchema(name, inputSchema),
    ...(parse === undefined ? {} : { parse }),
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(source === undefined ? {} : { source }),
  });
}

function isPrototypeName(name: string): boolean {
  const identity = identityOf(name);
  return Object.getOwnPropertyNames(Object.prototype).some((property) => identityOf(property) === identity);
}

function sealSchema(name: string, schema: JSONSchema): JSONSchema {
  try {
    return sealJson(schema) as JSONSchema;
  } catch (cause) {
    throw new ConfigError(`Tool '${name}' has an input schema that is not plain JSON: ${String(cause)}`, { cause });
  }
}

function duplicateText(name: string, taken: string): string {
  return name === taken
    ? `Tool '${name}' is registered twice`
    : `Tool '${name}' and tool '${taken}' differ only in case or '-'/'_'; a person could not tell them apart`;
}

function quote(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
