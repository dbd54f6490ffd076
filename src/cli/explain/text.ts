import { closest } from '../../core/did-you-mean.ts';
import { escapeText, showJson } from '../../core/escape.ts';
import type { CliMessageKey, Say } from '../messages.ts';
import type { Explanation } from './explanation.ts';

/** What an explanation refers to. */
export interface ExplanationSetting {
  readonly say: Say;
  /** Names of all tools. */
  readonly known: readonly string[];
  /** Id of whoever would ask, where that was said. */
  readonly principal?: string | undefined;
  readonly timeoutSeconds: number | undefined;
  /** Whether whoever asks may answer. */
  readonly requesterDecides: boolean;
}

const OUTCOMES: Readonly<Record<Explanation['outcome'], CliMessageKey>> = {
  allow: 'explain.allow',
  ask: 'explain.ask',
  refuse: 'explain.refuse',
};

/** An explanation for a person. */
export function explanationText(explanation: Explanation, setting: ExplanationSetting): string {
  const { say } = setting;
  const rows: (readonly [label: CliMessageKey, lines: readonly string[]])[] = [
    ['explain.tool', [escapeText(explanation.tool)]],
    ['explain.tier', [tierText(explanation, say)]],
    ['explain.principal', setting.principal === undefined ? [] : [escapeText(setting.principal)]],
    ['explain.effect', explanation.effect === undefined ? [] : [escapeText(explanation.effect)]],
    ['explain.arguments', showJson(explanation.arguments)],
    ['explain.why', reasons(explanation, setting)],
    ['explain.approver', whoIsAsked(explanation, setting)],
    ['explain.model_reads', explanation.refusal === undefined ? [] : [escapeText(explanation.refusal)]],
  ];
  const shown = rows.filter(([, lines]) => lines.length > 0);
  const width = Math.max(...shown.map(([label]) => say(label).length));
  const lines = shown.flatMap(([label, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? say(label) : '').padEnd(width)}  ${text}`),
  );
  return [say(OUTCOMES[explanation.outcome]), ...lines, ''].join('\n');
}

function tierText({ tier }: Explanation, say: Say): string {
  return tier === undefined ? say('tier.none') : `${tier} · ${say(`tier.${tier}`)}`;
}

function reasons(explanation: Explanation, { say, known }: ExplanationSetting): readonly string[] {
  const { outcome, tier, policyVersion } = explanation;
  if (outcome === 'refuse') return [refusalReason(explanation, known, say)];
  const name = tierText(explanation, say).replace(/^\d · /, '');
  const rule = outcome === 'ask' ? say('explain.why_tier2') : say('explain.why_tier', { tier: tier ?? '?', name });
  return [rule, say('explain.why_schema'), say('explain.why_policy', { version: policyVersion })];
}

function refusalReason({ reason, tool, policyVersion }: Explanation, known: readonly string[], say: Say): string {
  switch (reason) {
    case 'not_registered': {
      const word = closest(tool, known);
      const hint = word === undefined ? '' : say('usage.did_you_mean', { word });
      return say('explain.why_not_registered', { hint, known: known.join(', ') || '-' });
    }
    case 'invalid_arguments':
      return say('explain.why_invalid');
    case 'hidden':
      return say('explain.why_hidden', { version: policyVersion });
    default:
      return say('explain.why_refused', { reason: reason ?? '?' });
  }
}

function whoIsAsked(
  { outcome, deciders }: Explanation,
  { say, timeoutSeconds, requesterDecides }: ExplanationSetting,
): readonly string[] {
  if (outcome !== 'ask') return [];
  const patience =
    timeoutSeconds === undefined ? say('explain.no_timeout') : say('explain.timeout', { seconds: timeoutSeconds });
  if (deciders?.length === 0) return [say('explain.no_decider')];
  if (deciders !== undefined) return [say('explain.deciders', { deciders: escapeText(deciders.join(', ')) }), patience];
  return [say(requesterDecides ? 'explain.terminal' : 'explain.others'), patience];
}
