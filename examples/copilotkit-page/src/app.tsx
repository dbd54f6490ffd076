import { CopilotKitProvider, HttpAgent } from '@copilotkit/react-core/v2';
import type { ReactElement } from 'react';
import { AnswersProvider } from './answers.tsx';
import { Conversation } from './conversation.tsx';
import { HousePanel } from './house-panel.tsx';

/** The page talks to the AG-UI server directly; see the README for what stands between them in production. */
const agents = { house: new HttpAgent({ url: '/agent' }) };

export function App(): ReactElement {
  return (
    <CopilotKitProvider agents__unsafe_dev_only={agents} agentId="house" enableInspector={false}>
      <AnswersProvider>
        <div className="page">
          <header className="masthead">
            <h1>A house that asks first</h1>
            <p>Looking is free. What acts on the world waits for your yes, to exactly what you were shown, once.</p>
          </header>
          <main className="chat">
            <Conversation />
          </main>
          <HousePanel />
        </div>
      </AnswersProvider>
    </CopilotKitProvider>
  );
}
