import type { Say } from '../messages.ts';
import { UsageError } from '../usage-error.ts';

const MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * An age such as `12h`, `30d` or `8w`, in milliseconds.
 *
 * @throws UsageError for anything else; an age has to be typed on purpose, since what is older is gone.
 */
export function parseAge(option: string, value: string, say: Say): number {
  const [, count, unit = ''] = /^([1-9]\d{0,5})([hdw])$/.exec(value) ?? [];
  const each = MILLISECONDS[unit];
  if (count === undefined || each === undefined) throw new UsageError(say('prune.age', { option, value }));
  return Number(count) * each;
}
