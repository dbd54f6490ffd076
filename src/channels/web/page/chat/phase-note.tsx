import type { JSX } from 'preact';
import { visible } from '../parts/visible.ts';
import { useWords } from '../state/page-context.ts';
import type { WordKey } from '../words/en.ts';
import type { Words } from '../words/words.ts';
import type { ChatState } from './chat-shape.ts';
import type { Phase } from './phase.ts';
import type { Stopping } from './use-stop.ts';

const notes: Readonly<Record<Exclude<Phase, 'idle' | 'failed' | 'waiting'>, WordKey>> = {
  running: 'chat.running',
  elsewhere: 'chat.elsewhere',
  stopped: 'chat.stopped',
  lost: 'chat.lost',
  unsure: 'chat.unsure',
};

/** What goes on in the conversation, in words; beside where one writes, so that it is always in view. */
export function PhaseNote(props: { readonly state: ChatState; readonly stopping: Stopping }): JSX.Element {
  const words = useWords();
  const { state, stopping } = props;
  const { phase, waitsForOther } = state;
  const toQuestion = (): void => document.querySelector('.question-open')?.scrollIntoView({ block: 'start' });
  return (
    <p class={`phase phase-${stopping === 'failed' ? 'failed' : phase}`} role="status">
      <span>{phaseText(state, stopping, words)}</span>
      {phase === 'waiting' && !waitsForOther ? (
        <button type="button" class="quiet small" onClick={toQuestion}>
          {words.t('chat.to_question')}
        </button>
      ) : null}
    </p>
  );
}

function phaseText({ phase, error = '', waitsForOther }: ChatState, stopping: Stopping, { t }: Words): string {
  if (phase === 'idle') return '';
  if (phase === 'waiting') return t(waitsForOther ? 'chat.waits_other' : 'chat.waits');
  if (phase === 'failed') {
    return error === '' ? t('chat.failed_silent') : t('chat.failed', { problem: visible(error) });
  }
  const runs = phase === 'running' || phase === 'elsewhere';
  if (runs && stopping !== 'none') return t(stopping === 'busy' ? 'chat.stopping' : 'chat.stop_failed');
  return t(notes[phase]);
}
