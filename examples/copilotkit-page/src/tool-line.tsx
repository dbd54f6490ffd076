import { UseAgentUpdate, useAgent } from '@copilotkit/react-core/v2';
import type { ReactElement } from 'react';
import { escapeText } from 'strands-tau';
import { type Answer, useAnswers } from './answers.tsx';

interface Props {
  readonly name: string;
  readonly toolCallId: string;
  readonly parameters: unknown;
  readonly status: 'inProgress' | 'executing' | 'complete';
  readonly result: string | undefined;
}

/** One call in the conversation: what was asked for, who answered, and what came back. */
export function ToolLine({ name, toolCallId, parameters, status, result }: Props): ReactElement {
  const { agent } = useAgent({ updates: [UseAgentUpdate.OnRunStatusChanged] });
  const { given, waiting } = useAnswers();
  const going = waiting ? 'waiting' : agent.isRunning ? 'running' : 'over';
  const { sign, note } = stateOf(status === 'complete' ? 'complete' : going, given.get(toolCallId));
  return (
    <div className={`tool-line ${sign}`} data-tool={name} data-state={sign}>
      <span className="tool-sign" aria-hidden="true" />
      <code>
        {escapeText(name)} {escapeText(JSON.stringify(parameters ?? {}))}
      </code>
      <span className="tool-note">
        {note}
        {sign === 'done' && result !== undefined ? shortened(escapeText(plain(result))) : null}
      </span>
    </div>
  );
}

interface State {
  readonly sign: 'waiting' | 'running' | 'done' | 'refused' | 'unknown';
  readonly note: string;
}

function stateOf(call: 'complete' | 'waiting' | 'running' | 'over', answer: Answer | undefined): State {
  if (answer !== undefined && answer.decision !== 'approved') return { sign: 'refused', note: refusedText(answer) };
  const approved = answer === undefined ? '' : `approved by ${escapeText(answer.by ?? 'you')} · `;
  switch (call) {
    case 'complete':
      // What a result means is the tool's or tau's to say: it is shown, and what ran stands beside the conversation.
      return { sign: 'done', note: approved };
    case 'waiting':
      return { sign: 'waiting', note: 'waits for you' };
    case 'running':
      return { sign: 'running', note: 'running' };
    case 'over':
      return { sign: 'unknown', note: `${approved}no result arrived here` };
    default:
      return call satisfies never;
  }
}

function refusedText(answer: Exclude<Answer, { readonly decision: 'approved' }>): string {
  switch (answer.decision) {
    case 'rejected': {
      const rejected = `rejected by ${escapeText(answer.by ?? 'you')}`;
      return answer.reason === '' ? rejected : `${rejected}: ${escapeText(answer.reason)}`;
    }
    case 'cancelled':
      return 'cancelled';
    case 'expired':
      return 'nobody answered in time';
    default:
      return answer satisfies never;
  }
}

/** A text result arrives as JSON text or as it is. */
function plain(result: string): string {
  try {
    const parsed: unknown = JSON.parse(result);
    return typeof parsed === 'string' ? parsed : result;
  } catch {
    return result;
  }
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
