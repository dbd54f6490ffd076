import type { ToolSpec } from '@strands-agents/sdk';
import { isJsonObject, type JSONValue, sealJson } from '../../../core/json.ts';
import { fold } from './fold.ts';
import type { Intent, ToolInput } from './intent.ts';
import { type Token, tokenize } from './token.ts';

/** A tool that the demo model knows only from its spec. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly properties: ReadonlyMap<string, JSONValue>;
  readonly required: readonly string[];
}

/** Reads what a spec says about the arguments. */
export function offeredTool(spec: ToolSpec): OfferedTool {
  const schema = sealJson(spec.inputSchema ?? {});
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? Object.entries(schema.properties) : [];
  const required = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required : [];
  return {
    name: spec.name,
    description: spec.description,
    properties: new Map(properties),
    required: required.filter((name: unknown) => typeof name === 'string' && !hasDefault(name, properties)),
  };
}

/** A schema may list an argument as required that its own default fills in. */
function hasDefault(name: string, properties: readonly (readonly [name: string, schema: JSONValue])[]): boolean {
  return properties.some(([key, schema]) => key === name && isJsonObject(schema) && Object.hasOwn(schema, 'default'));
}

/**
 * Recognizes a request for a tool that the demo model has never heard of: its name, or all the words of its name, and
 * arguments as JSON, as `name=value`, or as the numbers, choices and quoted texts that the sentence holds.
 */
export function offeredIntent(clause: string, tools: readonly OfferedTool[]): Intent | undefined {
  const tokens = tokenize(clause);
  const tool = tools.find(({ name }) => isNamed(name, tokens));
  return tool === undefined ? undefined : offeredCall(tool, clause, {});
}

/** A call of `tool` with the arguments that `text` holds added to the `known` ones. */
export function offeredCall(tool: OfferedTool, text: string, known: ToolInput): Intent {
  const input = { ...known, ...argumentsIn(tool, text, known) };
  const missing = tool.required.filter((name) => !Object.hasOwn(input, name));
  return { kind: 'offered', tool: tool.name, input, missing };
}

function isNamed(name: string, tokens: readonly Token[]): boolean {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ raw }) => fold(raw));
  return words.includes(fold(name)) || wordsOf(name).every((part) => words.includes(part));
}

function wordsOf(name: string): readonly string[] {
  return fold(name.replaceAll(/([a-z])([A-Z])/g, '$1_$2')).split(/[_-]+/);
}

function argumentsIn(tool: OfferedTool, text: string, known: ToolInput): ToolInput {
  const tokens = tokenize(text);
  const json = tokens.find(({ kind }) => kind === 'json');
  if (json !== undefined) return parseObject(json.raw);
  const named = namedArguments(tool, text);
  const unnamed = text.replaceAll(PAIR, ' ');
  const open = [...tool.properties].filter(([name]) => !Object.hasOwn(named, name) && !Object.hasOwn(known, name));
  const supply = new Supply(tool, tokenize(unnamed), unnamed);
  const found = open.flatMap(([name, schema]) => {
    const value = supply.take(schema, tool.required.includes(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...named, ...Object.fromEntries(found) };
}

function parseObject(text: string): ToolInput {
  try {
    const value = sealJson(JSON.parse(text));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

const PAIR = /(?<name>[\w-]+)\s*=\s*(?:"(?<quoted>[^"]*)"|(?<bare>[^\s,]+))/g;

function namedArguments(tool: OfferedTool, text: string): ToolInput {
  const pairs = [...text.matchAll(PAIR)];
  return Object.fromEntries(
    pairs.flatMap(({ groups }) => {
      const schema = tool.properties.get(groups?.name ?? '');
      if (schema === undefined || groups?.name === undefined) return [];
      return [[groups.name, typed(groups.quoted ?? groups.bare ?? '', schema)]];
    }),
  );
}

function typed(text: string, schema: JSONValue): JSONValue {
  const type = typeOf(schema);
  if ((type === 'number' || type === 'integer') && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean') return /^(true|yes|evet|on)$/i.test(text);
  return text;
}

function typeOf(schema: JSONValue): JSONValue | undefined {
  return isJsonObject(schema) ? schema.type : undefined;
}

/** Hands out each number, choice and quoted text of a sentence once. */
class Supply {
  readonly #numbers: string[];
  readonly #quoted: string[];
  readonly #words: string[];
  #rest: string | undefined;

  constructor(tool: OfferedTool, tokens: readonly Token[], text: string) {
    this.#numbers = tokens.filter(({ kind }) => kind === 'number').map(({ raw }) => raw);
    this.#quoted = tokens.filter(({ kind }) => kind === 'quoted').map(({ raw }) => raw);
    this.#words = tokens.filter(({ kind }) => kind === 'word').map(({ folded }) => folded);
    this.#rest = restAfterName(tool, tokens, text);
  }

  /** A value that fits the schema; a bare rest of the sentence only where the tool cannot do without. */
  take(schema: JSONValue, required: boolean): JSONValue | undefined {
    const choices = isJsonObject(schema) && Array.isArray(schema.enum) ? schema.enum : undefined;
    if (choices !== undefined)
      return choices.find((choice) => typeof choice === 'string' && this.#words.includes(fold(choice)));
    const type = typeOf(schema);
    if (type === 'number' || type === 'integer') {
      const number = this.#numbers.shift();
      return number === undefined ? undefined : Number(number);
    }
    return type === 'string' ? this.#takeText(required) : undefined;
  }

  #takeText(required: boolean): string | undefined {
    const quoted = this.#quoted.shift();
    if (quoted !== undefined || !required) return quoted;
    const rest = this.#rest;
    this.#rest = undefined;
    return rest;
  }
}

/** What a sentence says after the last word of the tool's name; all of it when the name is not in it. */
function restAfterName(tool: OfferedTool, tokens: readonly Token[], text: string): string | undefined {
  const parts = [fold(tool.name), ...wordsOf(tool.name)];
  const last = tokens.findLast(({ raw }) => parts.includes(fold(raw)));
  const rest = text
    .slice(last?.end ?? 0)
    .replace(/^\s*(?:[:,-]|to|for|with|of|named|called)?\s*/i, '')
    .replace(/[.!?\s]+$/, '');
  return rest === '' ? undefined : rest;
}
