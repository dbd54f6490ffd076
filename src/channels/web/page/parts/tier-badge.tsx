import type { JSX } from 'preact';
import type { Tier } from '../../../../core/tier.ts';
import { useWords } from '../state/page-context.ts';

/** A ring, a square and a triangle: the tiers differ without colour, too. */
const shapes: Readonly<Record<Tier, string>> = {
  0: 'M8 2.500a5.500 5.500 0 1 1 0 11a5.500 5.500 0 1 1 0-11z',
  1: 'M3 3h10v10H3z',
  2: 'M8 2l6.500 11.500H1.500z',
};

/** The tier of a tool, as a shape, a number and, where there is room, words. */
export function TierBadge({ tier, whole = false }: { readonly tier: Tier; readonly whole?: boolean }): JSX.Element {
  const { t } = useWords();
  return (
    <span class={`tier tier-${tier}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={shapes[tier]} />
      </svg>
      <span>
        {t('question.tier.short', { tier })}
        {whole ? ` · ${t(`question.tier.${tier}`)}` : <span class="unseen"> {t(`question.tier.${tier}`)}</span>}
      </span>
    </span>
  );
}
