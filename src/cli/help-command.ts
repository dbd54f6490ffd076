import { closest } from '../core/did-you-mean.ts';
import { type Command, type CommandContext, usageOf } from './command.ts';
import type { Say } from './messages.ts';
import { OPTIONS, type OptionName } from './options.ts';
import { programName } from './program-name.ts';
import { UsageError } from './usage-error.ts';

/** `tau help [COMMAND]`, over the given commands. */
export function helpCommand(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    positionals: [{ name: 'COMMAND', optional: true }],
    options: ['language'],
    summary: 'command.help',
    examples: ['tau help chat'],
    run({ positionals, say, io }: CommandContext): Promise<number> {
      const [name] = positionals;
      const command = name === undefined ? undefined : findCommand(name, commands(), say);
      io.stdout.write(command === undefined ? overview(commands(), say) : commandHelp(command, say));
      return Promise.resolve(0);
    },
  };
}

/** @throws UsageError that lists the commands there are. */
export function findCommand(name: string, commands: readonly Command[], say: Say): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command !== undefined) return command;
  const names = commands.map((candidate) => candidate.name);
  const word = closest(name, names);
  const hint = word === undefined ? '' : say('usage.did_you_mean', { word });
  throw new UsageError(say('usage.unknown_command', { command: name, hint, commands: names.join(', ') }));
}

/** All commands in short. */
export function overview(commands: readonly Command[], say: Say): string {
  const lines = columns(commands.map(({ name, summary }) => [name, say(summary)]));
  const options = optionLines(['help', 'version', 'language'], say);
  return [
    say('help.title'),
    '',
    `${say('help.usage')}: ${programName()} COMMAND [OPTIONS]`,
    '',
    `${say('help.commands')}:`,
    ...lines,
    '',
    `${say('help.options')}:`,
    ...options,
    '',
    say('help.more'),
    '',
  ].join('\n');
}

/** One command in full. */
export function commandHelp(command: Command, say: Say): string {
  return [
    say(command.summary),
    '',
    `${say('help.usage')}: ${usageOf(command)} [OPTIONS]`,
    '',
    `${say('help.options')}:`,
    ...optionLines([...command.options, 'help'], say),
    '',
    `${say('help.examples')}:`,
    ...command.examples.map((example) => `  ${example.replaceAll(/\btau (?=[a-z])/g, `${programName()} `)}`),
    '',
  ].join('\n');
}

function optionLines(names: readonly OptionName[], say: Say): readonly string[] {
  return columns(
    names.map((name) => {
      const { value, short, summary } = OPTIONS[name];
      return [
        `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
        say(summary),
      ];
    }),
  );
}

function columns(rows: readonly (readonly [left: string, right: string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
