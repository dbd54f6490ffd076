import { digestJson } from '../../../../core/digest.ts';
import { showJson } from '../../../../core/escape.ts';
import { visible } from '../parts/visible.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';

/** One thing that tau states about a question: a label and what stands beside it, escaped. */
export interface StatedRow {
  readonly name: 'tool' | 'tier' | 'effect' | 'requester' | 'digest';
  readonly label: string;
  readonly text: string;
}

/**
 * What tau states, in the order in which it is shown; of the digest the part that other channels show, too. When time is up
 * is not among it: that text changes by itself. Nor is what only a technician needs, which is shown when somebody asks for it.
 */
export function statedRows(approval: Approval, { t }: Words): readonly StatedRow[] {
  const { tool, tier, effect, requester, digest } = approval;
  return [
    { name: 'tool', label: t('question.tool'), text: visible(tool) },
    {
      name: 'tier',
      label: t('question.tier'),
      text: `${t('question.tier.short', { tier })} · ${t(`question.tier.${tier}`)}`,
    },
    { name: 'effect', label: t('question.effect'), text: visible(effect) },
    { name: 'requester', label: t('question.requester'), text: visible(requester.id) },
    { name: 'digest', label: t('question.digest'), text: visible(digest.slice(0, 16).replace(/.{4}(?=.)/g, '$& ')) },
  ];
}

/**
 * SHA-256 of exactly what this page shows of a question: the rows that tau states and the lines of the arguments. It goes
 * on record with the answer.
 */
export function shownDigest(approval: Approval, words: Words): string {
  const stated = statedRows(approval, words).map(({ label, text }) => ({ label, text }));
  return digestJson({ stated, arguments: [...showJson(approval.arguments)] });
}
