import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Language } from '../core/i18n.ts';
import { parseArguments } from './arguments.ts';
import { type Command, usageOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { endProcess } from './end-process.ts';
import { commandHelp, findCommand, overview } from './help-command.ts';
import { type CliIo, processIo } from './io.ts';
import { environmentLanguage, isLanguage } from './language.ts';
import { type Say, speak } from './messages.ts';
import { failure } from './report-error.ts';
import { UsageError } from './usage-error.ts';
import { packageVersion } from './version.ts';

/**
 * The command line.
 *
 * @param argv - What was typed behind the name of the program.
 * @returns The exit code: 0 done, 1 failed, 2 typed wrong, 130 interrupted.
 */
export async function main(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  const say = speak(wantedLanguage(argv, io));
  try {
    return await dispatch(commandFirst(argv), io, say);
  } catch (error) {
    const { text, exitCode } = failure(error, io.env, say);
    io.stderr.write(text);
    return exitCode;
  }
}

async function dispatch(argv: readonly string[], io: CliIo, say: Say): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) {
    io.stderr.write(overview(COMMANDS, say));
    throw new UsageError(say('usage.no_command', { commands: COMMANDS.map((command) => command.name).join(', ') }));
  }
  if (name.startsWith('-')) return topLevel(argv, io, say);
  const command = findCommand(name, COMMANDS, say);
  const { options, positionals } = parseArguments(rest, [...command.options, 'help'], say);
  if (options.help) {
    io.stdout.write(commandHelp(command, say));
    return 0;
  }
  if (options.language !== undefined && !isLanguage(options.language))
    throw new UsageError(say('usage.language', { value: options.language }));
  checkPositionals(command, positionals, say);
  return command.run({ io, options, positionals, say });
}

/** `--language` may stand before the command too: `tau --language tr chat`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const words = argv[0] === '--language' ? 2 : argv[0]?.startsWith('--language=') ? 1 : 0;
  const [name, ...rest] = argv.slice(words);
  return name === undefined ? argv : [name, ...argv.slice(0, words), ...rest];
}

/** `tau --version` and `tau --help`. */
function topLevel(argv: readonly string[], io: CliIo, say: Say): number {
  const { options } = parseArguments(argv, ['help', 'version', 'language'], say);
  io.stdout.write(options.version ? `${packageVersion()}\n` : overview(COMMANDS, say));
  return 0;
}

function checkPositionals(command: Command, given: readonly string[], say: Say): void {
  const usage = usageOf(command);
  const extra = given[command.positionals.length];
  if (extra !== undefined) throw new UsageError(say('usage.too_many', { argument: extra, usage }));
  const missing = command.positionals.slice(given.length).find(({ optional }) => !optional);
  if (missing !== undefined) throw new UsageError(say('usage.too_few', { missing: missing.name, usage }));
}

/** The language of errors that come before the options are read. */
function wantedLanguage(argv: readonly string[], { env }: CliIo): Language {
  const index = argv.indexOf('--language');
  const given = index === -1 ? argv.find((word) => word.startsWith('--language='))?.slice(11) : argv[index + 1];
  return given !== undefined && isLanguage(given) ? given : environmentLanguage(env);
}

function isEntry(): boolean {
  const [, script] = process.argv;
  return script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url);
}

export { endProcess };

if (isEntry()) endProcess(await main(process.argv.slice(2)));
