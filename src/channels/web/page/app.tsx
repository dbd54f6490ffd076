import type { JSX } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { Language } from '../../../core/i18n.ts';
import { systemClock } from '../../../core/platform.ts';
import { principalName } from '../../../core/principal-name.ts';
import { Announcer, useAnnouncer } from './parts/announcer.tsx';
import { Shell } from './shell.tsx';
import { newChatMemory } from './state/chat-memory.ts';
import { Desk } from './state/desk.ts';
import { PageContext, type PageParts } from './state/page-context.ts';
import { rememberedLanguage, rememberLanguage } from './state/remembered.ts';
import { useReturn } from './state/use-return.ts';
import { useSession } from './state/use-session.ts';
import { Login } from './views/login.tsx';
import { HubClient } from './wire/hub-client.ts';
import type { Me } from './wire/shapes.ts';
import { firstLanguage, type Words, wordsOf } from './words/words.ts';

/** Asks who is signed in, and signs in. */
const nobody = new HubClient();

/** The whole page: asks who is there, then shows the hub or the way in. */
export function App(): JSX.Element {
  const { session, ask, signedIn, leave } = useSession(nobody);
  const me = session.type === 'open' ? session.me : undefined;
  const { language, setLanguage } = useLanguage(me);
  const words = useMemo(() => wordsOf(language), [language]);
  if (session.type !== 'open') {
    const login = { hub: nobody, words, setLanguage, state: session.type, onSignedIn: signedIn, onRetry: ask };
    return <Login {...login} />;
  }
  // Another person gets a page of their own: nothing of the one before stays.
  const key = principalName(session.me.principal);
  return <SignedIn key={key} me={session.me} words={words} setLanguage={setLanguage} onSignedOut={leave} />;
}

/** The page of somebody, for as long as they are signed in. */
function SignedIn(props: {
  readonly me: Me;
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
  readonly onSignedOut: () => void;
}): JSX.Element {
  const { me, words, setLanguage, onSignedOut } = props;
  const [hub] = useState(() => new HubClient(undefined, me.principal));
  const [chats] = useState(newChatMemory);
  const { message, announce } = useAnnouncer();
  const desk = useDeskOf(hub);
  useLayoutEffect(() => {
    hub.onSignedOut = onSignedOut;
    // What is answered late, when another session is shown, is not about that one.
    return () => {
      hub.onSignedOut = () => undefined;
    };
  }, [hub, onSignedOut]);
  const parts: PageParts = { hub, desk, chats, me, words, setLanguage, announce };
  return (
    <PageContext.Provider value={parts}>
      <Shell />
      <Announcer message={message} />
    </PageContext.Provider>
  );
}

function useLanguage(me: Me | undefined): {
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
} {
  const [chosen, setChosen] = useState(rememberedLanguage);
  const language = firstLanguage([chosen, ...navigator.languages, me?.language]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const setLanguage = useCallback((next: Language) => {
    rememberLanguage(next);
    setChosen(next);
  }, []);
  return { language, setLanguage };
}

/** A desk that is connected as long as it is shown. */
function useDeskOf(hub: HubClient): Desk {
  const [desk] = useState(() => {
    const openEvents = (): EventSource => new EventSource(hub.eventsPath);
    return new Desk({ hub, openEvents, clock: systemClock, chance: Math.random });
  });
  useEffect(() => {
    desk.connect();
    return () => desk.close();
  }, [desk]);
  useReturn(() => desk.nudge());
  return desk;
}
