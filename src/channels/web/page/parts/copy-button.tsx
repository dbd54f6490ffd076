import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../state/page-context.ts';

/** Copies a text. Where the browser does not let it, the text beside it can still be selected. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): JSX.Element | null {
  const { words, announce } = usePage();
  const [copied, setCopied] = useState(false);
  if (navigator.clipboard === undefined) return null;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return;
    }
    setCopied(true);
    announce(words.t('page.copied'));
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" class="quiet small" aria-label={label} onClick={() => void copy()}>
      {words.t(copied ? 'page.copied' : 'page.copy')}
    </button>
  );
}
