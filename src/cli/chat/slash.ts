import type { Tool } from '@strands-agents/sdk';
import { closest } from '../../core/did-you-mean.ts';
import { escapeText } from '../../core/escape.ts';
import { effectOf, tierOf } from '../../strands/index.ts';
import type { CliMessageKey, Say } from '../messages.ts';

/** What a slash command wants. */
export type Slash = { readonly kind: 'quit' } | { readonly kind: 'print'; readonly text: string };

const NAMES = ['/help', '/tools', '/quit', '/exit'];

/** Reads a line as a slash command; `undefined` when it is something for the model. */
export function readSlash(line: string, tools: readonly Tool[], say: Say): Slash | undefined {
  const command = /^\s*(?<name>\/[\w-]*)\s*$/.exec(line)?.groups?.name;
  switch (command?.toLowerCase()) {
    case undefined:
      return undefined;
    case '/quit':
    case '/exit':
      return { kind: 'quit' };
    case '/help':
      return { kind: 'print', text: say('chat.help') };
    case '/tools':
      return { kind: 'print', text: toolList(tools, say) };
    default:
      return { kind: 'print', text: unknownSlash(command ?? '', say) };
  }
}

function unknownSlash(command: string, say: Say): string {
  const word = closest(command, NAMES);
  const hint = word === undefined ? '' : say('usage.did_you_mean', { word });
  return say('chat.unknown_slash', { command: escapeText(command), hint });
}

/** The tools with tier and effect, one a line. */
function toolList(tools: readonly Tool[], say: Say): string {
  if (tools.length === 0) return say('chat.tools_none');
  const rows = tools.map((tool) => ({
    name: tool.name,
    tier: tierText(tool, say),
    effect: escapeText(effectText(tool)),
  }));
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const tierWidth = Math.max(...rows.map(({ tier }) => tier.length));
  return rows
    .map(({ name, tier, effect }) => `${name.padEnd(nameWidth)}  ${tier.padEnd(tierWidth)}  ${effect}`)
    .join('\n');
}

function tierText(tool: Tool, say: Say): string {
  const tier = tierOf(tool);
  const keys: readonly CliMessageKey[] = ['tier.0', 'tier.1', 'tier.2'];
  const name = say(keys[tier ?? 2] ?? 'tier.none');
  return `${tier ?? '?'} ${name}`;
}

/** What the author says that a call does; where that depends on the arguments, the description. */
function effectText(tool: Tool): string {
  try {
    return effectOf(tool) ?? tool.description;
  } catch {
    return tool.description;
  }
}
