import type { Options } from './arguments.ts';
import type { CliIo } from './io.ts';
import type { CliMessageKey, Say } from './messages.ts';
import type { OptionName } from './options.ts';
import { programName } from './program-name.ts';

/** What a command gets to work with. */
export interface CommandContext {
  readonly io: CliIo;
  readonly options: Options;
  readonly positionals: readonly string[];
  /** Speaks the language of `--language`, else of the environment; a configuration may know better. */
  readonly say: Say;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** What stands behind the name, such as `TOOL ARGS_JSON`. */
  readonly positionals: readonly { readonly name: string; readonly optional?: boolean }[];
  readonly options: readonly OptionName[];
  readonly summary: CliMessageKey;
  readonly examples: readonly string[];
  /** Resolves to the exit code. Loads what it needs itself, so that help and mistakes are answered at once. */
  run(context: CommandContext): Promise<number>;
}

/** How a command is typed. */
export function usageOf({ name, positionals }: Pick<Command, 'name' | 'positionals'>): string {
  const words = positionals.map((positional) => (positional.optional ? `[${positional.name}]` : positional.name));
  return [programName(), name, ...words].join(' ');
}
