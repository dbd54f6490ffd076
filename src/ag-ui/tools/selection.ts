import type { RunAgentInput } from '@ag-ui/core';
import { errorText } from '../../core/errors.ts';
import type { Logger, RequestContext, TemplateToolsProvider } from '../config.ts';
import { RunError } from '../run-error.ts';
import { shown } from './tool-names.ts';
import { untilAborted } from './until-aborted.ts';

/** Names of the template's tools that a run may see; `undefined` means that nothing is filtered. */
export type Selection = ReadonlySet<string> | undefined;

/** Far more than any agent has tools; a generator without an end must not hold the process. */
const MAX_ENTRIES = 10_000;

/**
 * Asks the provider which tools a request may see, and reads its answer whole before anything is changed.
 *
 * @param contributed - Names of the template's tools; what is not among them is dropped with a warning.
 * @throws RunError `TEMPLATE_TOOLS_PROVIDER_ERROR` when the provider fails or its answer cannot be read.
 */
export async function askProvider(
  provider: TemplateToolsProvider,
  input: RunAgentInput,
  context: RequestContext,
  contributed: Iterable<string>,
  log: Logger,
): Promise<Selection> {
  try {
    const answer = await untilAborted(() => provider(input, context), context.signal);
    return readSelection(answer, contributed, log);
  } catch (error) {
    if (context.signal.aborted && error === context.signal.reason) throw error;
    throw new RunError('TEMPLATE_TOOLS_PROVIDER_ERROR', [errorText(error)], { cause: error });
  }
}

/**
 * Reads what a `TemplateToolsProvider` answered; its documentation has the table.
 *
 * @throws TypeError when the answer is not a list of names or tools; whatever the answer itself throws while it is read.
 */
export function readSelection(answer: unknown, contributed: Iterable<string>, log: Logger): Selection {
  if (answer === undefined || answer === null) return undefined;
  const known = new Set(contributed);
  const selected = new Set<string>();
  const dropped = new Set<string>();
  for (const entry of entriesOf(answer)) {
    const name = nameOf(entry);
    if (name !== undefined && known.has(name)) selected.add(name);
    else dropped.add(shown(name ?? entry));
  }
  for (const name of dropped) {
    log.warn(`templateToolsProvider returned ${name}, which the template agent does not contribute; it is ignored`);
  }
  return selected;
}

function* entriesOf(answer: unknown): Generator<unknown, void, undefined> {
  let count = 0;
  for (const entry of container(answer)) {
    count += 1;
    if (count > MAX_ENTRIES) throw new TypeError(`the answer has more than ${MAX_ENTRIES} entries`);
    yield entry;
  }
}

function container(answer: unknown): Iterable<unknown> {
  if (typeof answer === 'string' || answer instanceof String) {
    throw new TypeError('returned a string, which would be read one character at a time; return a list of names');
  }
  if (answer instanceof Map) {
    throw new TypeError(
      'returned a Map, whose keys would be allowed while its values went unread; return a list of names',
    );
  }
  if (isIterable(answer)) return answer;
  const kind = typeof answer === 'object' ? 'an object that is not iterable' : `a ${typeof answer}`;
  throw new TypeError(
    `returned ${kind}, which is not a container of names; return a list of names, or null for no filter`,
  );
}

/** Of objects only: a function is not a list, whatever it can do. */
function isIterable(answer: unknown): answer is Iterable<unknown> {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    Symbol.iterator in answer &&
    typeof answer[Symbol.iterator] === 'function'
  );
}

/** A tool stands for its name; the object itself is never used. */
function nameOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry;
  if (typeof entry !== 'object' || entry === null || !('name' in entry)) return undefined;
  return typeof entry.name === 'string' ? entry.name : undefined;
}
