import { escapeText } from '../../core/escape.ts';
import type { ToolCallEvent } from '../../core/events.ts';
import type { JSONValue } from '../../core/json.ts';
import type { CliMessageKey, Say } from '../messages.ts';

const MAX_ARGUMENTS = 60;

/** One line about one call: tool, arguments, tier, and whether it ran. Harmless for a terminal. */
export function callLine(call: ToolCallEvent, say: Say): { readonly text: string; readonly ran: boolean } {
  const ran = call.reason === undefined && call.status === 'success';
  const tier = call.tier === undefined ? say('tier.none') : say('tier.label', { tier: call.tier });
  const words = [`${escapeText(call.tool)}${shownArguments(call.arguments)}`, tier, howItWent(call, say)];
  return { text: `${ran ? '✓' : '✗'} ${words.join(' · ')}`, ran };
}

function howItWent(call: ToolCallEvent, say: Say): string {
  if (call.reason !== undefined) return whyNot(call.reason, say);
  if (call.status === 'error') return say('chat.failed', { problem: escapeText(firstLine(call.resultSummary)) });
  if (call.approval === 'approved') return say('chat.approved');
  return say(call.approval === 'exempt' ? 'chat.exempt' : 'chat.ok');
}

function whyNot(reason: NonNullable<ToolCallEvent['reason']>, say: Say): string {
  const known: ReadonlyMap<string, CliMessageKey> = new Map([
    ['rejected', 'chat.refused.rejected'],
    ['timeout', 'chat.refused.timeout'],
    ['cancelled', 'chat.refused.cancelled'],
    ['not_registered', 'chat.refused.not_registered'],
    ['invalid_arguments', 'chat.refused.invalid_arguments'],
  ]);
  return say(known.get(reason) ?? 'chat.refused.other', { reason });
}

function shownArguments(args: JSONValue): string {
  const json = JSON.stringify(args);
  if (json === '{}') return '';
  const short = json.length <= MAX_ARGUMENTS ? json : `${json.slice(0, MAX_ARGUMENTS - 1).toWellFormed()}…`;
  // JSON doubles backslashes itself; doubling them again would only make it harder to read.
  return ` ${escapeText(short).replaceAll('\\\\', '\\')}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
