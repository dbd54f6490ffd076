import { useAgent, useCopilotKit } from '@copilotkit/react-core/v2';
import { useCallback } from 'react';
import { type Answer, useAnswers } from './answers.tsx';
import { resumeByHand } from './resume-by-hand.ts';

/** `resumeByHand` for the agent of this page; `more` are answers that are given with it. */
export function useResumeByHand(): (more?: ReadonlyMap<string, Answer>) => void {
  const { agent } = useAgent({ updates: [] });
  const { copilotkit } = useCopilotKit();
  const { given } = useAnswers();
  return useCallback(
    (more = new Map()) => {
      // CopilotKit tells the chat of every error of a run.
      resumeByHand({ copilotkit, agent, given: new Map([...given, ...more]) }).catch(console.error);
    },
    [agent, copilotkit, given],
  );
}
