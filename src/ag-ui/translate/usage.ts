import type { TokenUsage } from '@ag-ui/core';
import type { UsageSample } from './input.ts';

/** Tokens by model; `undefined` stands for a model without a name. */
export type UsageTotals = Map<string | undefined, UsageSample>;

/** Adds one model call. */
export function addUsage(totals: UsageTotals, model: string | undefined, sample: UsageSample): void {
  const before = totals.get(model);
  totals.set(model, before === undefined ? sample : sum(before, sample));
}

/** The totals as the protocol lists them, in the order in which the models were first heard of. */
export function usageList(totals: UsageTotals): readonly TokenUsage[] {
  return [...totals].map(([model, sample]) => (model === undefined ? { ...sample } : { model, ...sample }));
}

function sum(a: UsageSample, b: UsageSample): UsageSample {
  const cached = sumReported(a.cachedInputTokens, b.cachedInputTokens);
  const written = sumReported(a.cacheWriteInputTokens, b.cacheWriteInputTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    ...(cached !== undefined && { cachedInputTokens: cached }),
    ...(written !== undefined && { cacheWriteInputTokens: written }),
  };
}

/** A count that neither call reported stays absent: "not reported" is not zero. */
function sumReported(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
}
