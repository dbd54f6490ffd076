import type { JSX } from 'preact';
import { showJson } from '../../../../core/escape.ts';
import { MarkedText } from '../parts/marked-text.tsx';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import { readRefusal } from '../told/refusal.ts';
import type { Approval } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';
import { type CallState, callState } from './call-state.ts';
import type { ChatItem } from './chat-item.ts';

type Call = Extract<ChatItem, { type: 'tool' }>;

/** One call of a tool: whether it ran, and behind a step of its own what went in and came out. */
export function ToolItem(props: { readonly item: Call; readonly question: Approval | undefined }): JSX.Element {
  const { item, question } = props;
  const { t } = useWords();
  const state = callState(item, question);
  return (
    <details class={`call call-${state}`}>
      <summary>
        <span class="unseen">{t('chat.tool', { tool: '' })}</span>
        <code>{visible(item.name)}</code> <span class="call-state">{t(`chat.tool.${state}`)}</span>
      </summary>
      <p class="label">{t('chat.tool.input')}</p>
      <pre class="code-block">
        <MarkedText text={shownJson(item.args)} />
      </pre>
      <Result item={item} state={state} />
    </details>
  );
}

/** What came out. What the model is told about a call that was not run is not for a person. */
function Result({ item, state }: { readonly item: Call; readonly state: CallState }): JSX.Element | null {
  const words = useWords();
  const { name, result, failed } = item;
  if (result === undefined) return null;
  if (state === 'not_run') return <p>{whyNotRun(name, result, words)}</p>;
  return (
    <>
      <p class="label">{words.t(failed === true ? 'chat.tool.error' : 'chat.tool.output')}</p>
      <pre class="code-block">
        <MarkedText text={shownJson(result)} />
      </pre>
    </>
  );
}

function whyNotRun(tool: string, result: string, { t }: Words): string {
  const refusal = readRefusal(tool, result);
  if (refusal?.type === 'no_fit') return t('chat.tool.no_fit', { problem: visible(refusal.problem) });
  return t(refusal?.type === 'no_tool' ? 'chat.tool.no_tool' : 'verdict.not_run');
}

/** JSON laid out; what is none, or not yet, as it is. */
function shownJson(text: string): string {
  try {
    return showJson(JSON.parse(text)).join('\n');
  } catch {
    return text.split('\n').map(visible).join('\n');
  }
}
