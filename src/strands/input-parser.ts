import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { z } from 'zod';
import { ConfigError, errorText, TauError } from '../core/errors.ts';
import { type JSONSchema, type JSONValue, jsonEquals, sealJson, sealsTo } from '../core/json.ts';

/** Turns frozen plain JSON input into what the tool takes; throws a TauError whose message the model may read. */
export type InputParser = (input: JSONValue) => JSONValue;

/** A schema as the author of a tool gives it. */
export type InputSchema = z.ZodType | JSONSchema;

/** Whether a schema is Zod's (any copy of Zod 4) rather than JSON Schema. */
export function isZodSchema(schema: unknown): schema is z.ZodType {
  return (
    typeof schema === 'object' &&
    schema !== null &&
    '_zod' in schema &&
    'safeParse' in schema &&
    typeof schema.safeParse === 'function'
  );
}

/**
 * The parser of a schema.
 *
 * @throws ConfigError when a JSON Schema cannot be compiled.
 */
export function inputParser(tool: string, schema: InputSchema): InputParser {
  return isZodSchema(schema) ? zodParser(schema) : jsonSchemaParser(tool, schema);
}

/**
 * Parses with Zod, defaults and coercions included, and then makes sure that parsing the result again changes
 * nothing: otherwise what the person saw would not be what the body gets.
 */
function zodParser(schema: z.ZodType): InputParser {
  return (input) => {
    const data = accept(schema, input);
    if (sealsTo(data, input)) return input;
    const parsed = sealJson(withoutUndefined(data));
    if (!jsonEquals(parsed, input) && !isStable(schema, parsed)) {
      throw new TauError('not_guardable', 'its schema gives another value when its own result is parsed again');
    }
    return parsed;
  };
}

function isStable(schema: z.ZodType, parsed: JSONValue): boolean {
  try {
    return jsonEquals(parsed, sealJson(withoutUndefined(accept(schema, parsed))));
  } catch {
    return false;
  }
}

function accept(schema: z.ZodType, input: JSONValue): unknown {
  const result = schema.safeParse(input);
  if (!result.success) throw new TauError('invalid_arguments', zodProblem(result.error));
  return result.data;
}

function zodProblem(error: z.ZodError): string {
  const [first] = error.issues;
  if (first === undefined) return 'it does not fit the schema';
  const path = first.path.map(String).join('.');
  return path === '' ? first.message : `${path}: ${first.message}`;
}

/** Zod may write `undefined` for an optional key; JSON has no such thing, and the body cannot tell the difference. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => (item === undefined ? null : withoutUndefined(item)));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutUndefined(item)]));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Validates and changes nothing: no defaults, no coercion, so what was sent is what is shown and run. */
function jsonSchemaParser(tool: string, schema: JSONSchema): InputParser {
  const validate = compile(tool, schema);
  return (input) => {
    if (validate(input) === true) return input;
    throw new TauError('invalid_arguments', ajvProblem(validate.errors?.[0]));
  };
}

const AJV_OPTIONS = {
  // A keyword that the dialect does not know would constrain nothing, silently.
  strictSchema: true,
  strictNumbers: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  validateFormats: false,
  useDefaults: false,
  coerceTypes: false,
  addUsedSchema: false,
  // What an object inherits (`toString`) is not among its properties.
  ownProperties: true,
} as const;

/** Annotations of OpenAPI and the like that constrain nothing. */
const ANNOTATIONS = ['example', 'xml', 'externalDocs', 'discriminator'];

function compile(tool: string, schema: JSONSchema): ValidateFunction {
  try {
    const ajv = dialectOf(schema);
    ajv.addVocabulary([...ANNOTATIONS, ...extensionsIn(schema)].filter((keyword) => ajv.getKeyword(keyword) === false));
    const validate = ajv.compile(withoutDialect(schema));
    if ('$async' in validate && validate.$async === true)
      throw new Error('an asynchronous schema cannot be checked here');
    return validate;
  } catch (cause) {
    throw new ConfigError(`Tool '${tool}' has an input schema that cannot be used: ${errorText(cause)}`, { cause });
  }
}

/** The validator of the schema's dialect; 2020-12 where it names none, as MCP does. */
function dialectOf(schema: JSONSchema): Ajv {
  const named = typeof schema === 'object' ? schema.$schema : undefined;
  if (named === undefined) return new Ajv2020(AJV_OPTIONS);
  const dialect = String(named)
    .replace(/^https?:\/\//, '')
    .replace(/#$/, '');
  switch (dialect) {
    case 'json-schema.org/draft/2020-12/schema':
      return new Ajv2020(AJV_OPTIONS);
    case 'json-schema.org/draft/2019-09/schema':
      return new Ajv2019(AJV_OPTIONS);
    case 'json-schema.org/draft-07/schema':
    case 'json-schema.org/draft-06/schema':
      return new Ajv(AJV_OPTIONS);
    default:
      throw new Error(
        `the dialect ${JSON.stringify(named)} is not known; use JSON Schema 2020-12, 2019-09 or draft-07`,
      );
  }
}

function withoutDialect(schema: JSONSchema): object | boolean {
  if (typeof schema === 'boolean') return schema;
  const { $schema: _dialect, ...rest } = schema;
  return structuredClone(rest);
}

/** Keywords that begin with `x-`, by convention somebody's own annotations. */
function extensionsIn(schema: JSONValue): string[] {
  const found = new Set<string>();
  const visit = (value: JSONValue): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key.startsWith('x-')) found.add(key);
      visit(inner);
    }
  };
  visit(schema);
  return [...found];
}

function ajvProblem(error: ErrorObject | undefined): string {
  if (error === undefined) return 'it does not fit the schema';
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const detail = error.keyword === 'additionalProperties' ? ` (${String(error.params.additionalProperty)})` : '';
  return `${path === '' ? '' : `${path}: `}${error.message ?? 'it does not fit the schema'}${detail}`;
}
