import type { JSX } from 'preact';
import { useWords } from '../state/page-context.ts';

const tones: ReadonlyMap<string, string> = new Map([
  ['pending', 'open'],
  ['approved', 'good'],
  ['consumed', 'good'],
  ['done', 'good'],
  ['failed', 'bad'],
  ['unknown', 'bad'],
  ['rejected', 'no'],
]);

/** Where an approval is in its life, in words. */
export function StatusBadge({ status }: { readonly status: string }): JSX.Element {
  const { named } = useWords();
  return <span class={`status status-${tones.get(status) ?? 'over'}`}>{named('status', status)}</span>;
}
