import { escapeText, showJson } from '../../core/escape.ts';
import { message } from '../../core/i18n.ts';
import type { Setting } from '../setting.ts';
import type { Approval } from './approval-shape.ts';

/** Letters of a line's arguments in a list. */
const MAX_ARGUMENTS = 60;

/** Approvals, one a line. Everything that a model or a stranger may have written is escaped. */
export function listText(approvals: readonly Approval[], { say }: Setting): string {
  if (approvals.length === 0) return `${say('approvals.none')}\n`;
  const lines = approvals.map(({ id, status, tool, tier, requester, arguments: args }) => {
    const shown = escapeText(JSON.stringify(args));
    const short = shown.length > MAX_ARGUMENTS ? `${shown.slice(0, MAX_ARGUMENTS - 1)}…` : shown;
    return `${escapeText(id)}  ${escapeText(status)}  ${escapeText(tool)}  ${shortTier(tier, say)}  ${escapeText(requester.id)}  ${short}`;
  });
  return `${lines.join('\n')}\n`;
}

function shortTier(tier: Approval['tier'], say: Setting['say']): string {
  return `${say('tier.label', { tier })} · ${say(`tier.${tier}`)}`;
}

/** One approval, whole, with its digest in full: what `--digest` takes. */
export function detailText(approval: Approval, { say, language }: Setting): string {
  const { decision, outcome, closedBecause, editOf, expiresAt } = approval;
  const fields: readonly (readonly [string, string | undefined])[] = [
    [say('approvals.id'), approval.id],
    [say('approvals.status'), approval.status],
    [say('explain.tool'), approval.tool],
    [say('explain.tier'), `${approval.tier} · ${message(language, `approval.tier.${approval.tier}`)}`],
    [say('explain.effect'), approval.effect],
    [say('approvals.requester'), approval.requester.id],
    [say('approvals.digest'), approval.digest],
    [say('approvals.asked_at'), timeText(approval.createdAt)],
    [say('approvals.expires_at'), expiresAt === undefined ? undefined : timeText(expiresAt)],
    [
      say('approvals.decision'),
      decision === undefined
        ? undefined
        : say('approvals.decided_by', {
            decision: decision.decision,
            by: decision.by.id,
            channel: decision.channel,
            at: timeText(decision.at),
          }),
    ],
    [say('approvals.reason'), decision?.reason],
    [say('approvals.outcome'), outcome?.status],
    [say('approvals.closed'), closedBecause],
    [say('approvals.edit_of'), editOf],
  ];
  const shown = fields.filter((field): field is readonly [string, string] => field[1] !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length));
  return [
    ...shown.map(([label, text]) => `${label.padEnd(width)}  ${escapeText(text)}`),
    say('explain.arguments'),
    ...showJson(approval.arguments).map((line) => `│ ${line}`),
    '',
  ].join('\n');
}

/** A moment, as lists show it. */
export function timeText(at: number): string {
  return new Date(at).toISOString();
}
