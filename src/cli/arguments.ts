import { parseArgs } from 'node:util';
import { closest } from '../core/did-you-mean.ts';
import type { Say } from './messages.ts';
import { OPTIONS, type OptionName } from './options.ts';
import { UsageError } from './usage-error.ts';

/** What was given on the command line. */
export interface Options {
  readonly config?: string;
  readonly data?: string;
  readonly demo?: true;
  readonly language?: string;
  readonly json?: true;
  readonly force?: true;
  readonly head?: string;
  readonly follow?: true;
  readonly 'older-than'?: string;
  readonly 'keep-audit'?: string;
  readonly sessions?: true;
  readonly host?: string;
  readonly port?: string;
  readonly digest?: string;
  readonly reason?: string;
  readonly edit?: string;
  readonly url?: string;
  readonly status?: string;
  readonly principal?: string;
  readonly scopes?: string;
  readonly help?: true;
  readonly version?: true;
}

/** A parsed command line, or a part of one. */
export interface ParsedArguments {
  readonly options: Options;
  readonly positionals: readonly string[];
}

/**
 * Reads options and positionals.
 *
 * @param accepted - The options that make sense here.
 * @throws UsageError that names what was wrong and what is available.
 */
export function parseArguments(argv: readonly string[], accepted: readonly OptionName[], say: Say): ParsedArguments {
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      accepted.map((name) => {
        const { value, short } = OPTIONS[name];
        return [name, { type: value === undefined ? 'boolean' : 'string', ...(short === undefined ? {} : { short }) }];
      }),
    ),
  });
  const options: Record<string, string | true> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind === 'option') options[token.name] = optionValue(token, accepted, say);
  }
  return { options, positionals };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionValue(token: OptionToken, accepted: readonly OptionName[], say: Say): string | true {
  const name = accepted.find((candidate) => candidate === token.name);
  if (name === undefined) throw unknownOption(token, accepted, say);
  const { value: placeholder } = OPTIONS[name];
  if (placeholder === undefined) {
    if (token.value === undefined) return true;
    throw new UsageError(say('usage.option_takes_no_value', { option: token.rawName, value: token.value }));
  }
  const { value } = token;
  if (value === undefined || value === '' || (!token.inlineValue && value.startsWith('-')))
    throw new UsageError(say('usage.option_needs_value', { option: token.rawName, value: placeholder }));
  return value;
}

function unknownOption({ name, rawName }: OptionToken, accepted: readonly OptionName[], say: Say): UsageError {
  const word = closest(name, accepted);
  const hint = word === undefined ? '' : say('usage.did_you_mean', { word: `--${word}` });
  const options = accepted.map((option) => `--${option}`).join(', ');
  return new UsageError(say('usage.unknown_option', { option: rawName, hint, options }));
}
