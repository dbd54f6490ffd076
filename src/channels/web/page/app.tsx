import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Language } from '../../../core/i18n.ts';
import { systemClock } from '../../../core/platform.ts';
import { Announcer, useAnnouncer } from './parts/announcer.tsx';
import { Shell } from './shell.tsx';
import { Desk } from './state/desk.ts';
import { PageContext, type PageParts } from './state/page-context.ts';
import { rememberedLanguage, rememberLanguage } from './state/remembered.ts';
import { loginCode } from './state/route.ts';
import { useReturn } from './state/use-return.ts';
import { Login } from './views/login.tsx';
import { HubClient } from './wire/hub-client.ts';
import { type Me, meShape } from './wire/shapes.ts';
import { firstLanguage, wordsOf } from './words/words.ts';

/** Whether somebody is signed in. */
type Session = { readonly type: 'asking' | 'none' | 'unreachable' } | { readonly type: 'open'; readonly me: Me };

const hub = new HubClient();

/** The whole page: asks who is there, then shows the hub or the way in. */
export function App(): JSX.Element {
  const { session, ask } = useSession();
  const me = session.type === 'open' ? session.me : undefined;
  const { language, setLanguage } = useLanguage(me);
  const words = useMemo(() => wordsOf(language), [language]);
  const { message, announce } = useAnnouncer();
  const desk = useDeskOf(me);
  if (me === undefined || desk === undefined) {
    return <Login hub={hub} words={words} setLanguage={setLanguage} state={session.type} onSignedIn={ask} />;
  }
  const parts: PageParts = { hub, desk, me, words, setLanguage, announce };
  return (
    <PageContext.Provider value={parts}>
      <Shell />
      <Announcer message={message} />
    </PageContext.Provider>
  );
}

function useSession(): { readonly session: Session; readonly ask: () => void } {
  // Whoever comes with the code of a link is asked for once it was used. The way in takes the code out of the address.
  const [linked] = useState(() => loginCode(location.hash) !== undefined);
  const [session, setSession] = useState<Session>({ type: linked ? 'none' : 'asking' });
  const ask = useCallback(() => {
    void hub.get('/api/me', meShape).then((reply) => {
      if (reply.ok) setSession({ type: 'open', me: reply.value });
      else setSession({ type: reply.status === 401 ? 'none' : 'unreachable' });
    });
  }, []);
  useEffect(() => {
    hub.onSignedOut = () => setSession({ type: 'none' });
    if (!linked) ask();
  }, [ask, linked]);
  return { session, ask };
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

/** The desk of whoever is signed in, connected as long as they are. */
function useDeskOf(me: Me | undefined): Desk | undefined {
  const [desk, setDesk] = useState<Desk>();
  const signedIn = me !== undefined;
  useEffect(() => {
    if (!signedIn) return undefined;
    const openEvents = (): EventSource => new EventSource('/api/events');
    const opened = new Desk({ hub, openEvents, clock: systemClock, chance: Math.random });
    opened.connect();
    setDesk(opened);
    return () => {
      opened.close();
      setDesk(undefined);
    };
  }, [signedIn]);
  useReturn(() => desk?.nudge());
  return desk;
}
