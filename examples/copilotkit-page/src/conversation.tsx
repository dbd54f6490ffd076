import {
  CopilotChat,
  useAgent,
  useConfigureSuggestions,
  useDefaultRenderTool,
  useInterrupt,
} from '@copilotkit/react-core/v2';
import { type ReactElement, useEffect, useState } from 'react';
import { useAnswers } from './answers.tsx';
import { type Failure, Problem } from './problem.tsx';
import { Questions } from './questions.tsx';
import { ToolLine } from './tool-line.tsx';
import { useDecisionsElsewhere } from './use-decisions-elsewhere.ts';

const suggestions = [
  { title: 'Unlock the front door', message: 'Unlock the front door' },
  { title: 'Is the back door locked?', message: 'Is the back door locked?' },
  { title: 'Unlock both doors', message: 'Unlock both doors' },
];

const labels = {
  welcomeMessageText: 'What should the house do?',
  chatDisclaimerText: 'The house and its model are made up; the approvals are real.',
};

/** The chat. CopilotKit draws it, stops at tau's questions and sends the answers; the questions look like this page. */
export function Conversation(): ReactElement {
  const { agent } = useAgent({ updates: [] });
  const { waiting } = useAnswers();
  const [problem, setProblem] = useState<Failure>();
  useConfigureSuggestions({ suggestions, consumerAgentId: 'house' });
  useDefaultRenderTool({ render: (call) => <ToolLine {...call} /> });
  useInterrupt({
    render: ({ interrupts, resolve, cancel }) => (
      <Questions
        // A new set of questions starts without the answers to the last one.
        key={interrupts.map(({ id }) => id).join()}
        interrupts={interrupts}
        resolve={resolve}
        cancel={cancel}
      />
    ),
  });
  useDecisionsElsewhere();
  useRunStart(() => setProblem(undefined));
  // An open question whose answer got lost is still open.
  const blocked = waiting || problem?.answerLost === true;
  const placeholder = blocked ? 'Answer first' : 'Ask the house';
  return (
    <>
      {problem === undefined ? null : <Problem failure={problem} />}
      <CopilotChat
        className="chat-body"
        labels={{ ...labels, chatInputPlaceholder: placeholder }}
        messageView={{ assistantMessage: { toolbarVisible: false }, userMessage: { toolbar: 'nothing' } }}
        input={{ textArea: { disabled: blocked }, addMenuButton: 'nothing', disclaimer: 'small-print' }}
        onError={(event) => {
          if (!('error' in event)) return;
          setProblem({ text: event.error.message, answerLost: agent.pendingInterrupts.length > 0 });
        }}
      />
    </>
  );
}

function useRunStart(react: () => void): void {
  const { agent } = useAgent({ updates: [] });
  useEffect(() => {
    const subscription = agent.subscribe({ onRunStartedEvent: react });
    return () => subscription.unsubscribe();
  });
}
