import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { principalName } from '../../../../core/principal-name.ts';
import type { HubClient } from '../wire/hub-client.ts';
import { type Me, meShape } from '../wire/shapes.ts';
import { forgetRoutes } from './came-from.ts';
import { onOtherTabs, tellOtherTabs } from './other-tabs.ts';
import { loginCode } from './route.ts';
import { renameTo } from './use-route.ts';

/** Whether somebody is signed in. */
type Session = { readonly type: 'asking' | 'none' | 'unreachable' } | { readonly type: 'open'; readonly me: Me };

/**
 * Who is signed in, asked of the hub when the page opens and whenever that may have changed: the cookie belongs to the
 * browser, so another tab can sign out, or sign in as somebody else.
 *
 * @param hub - A client of nobody.
 */
export function useSession(hub: HubClient): {
  readonly session: Session;
  /** Asks again. */
  readonly ask: () => void;
  /** Somebody has signed in here: asks again, and so do the other tabs. */
  readonly signedIn: () => void;
  /** The session that is shown is over or somebody else's: nothing of it is shown any more, then asks again. */
  readonly leave: () => void;
} {
  // Whoever comes with the code of a link is asked for once it was used. The way in takes the code out of the address.
  const [linked] = useState(() => loginCode(location.hash) !== undefined);
  const [session, setSession] = useState<Session>({ type: linked ? 'none' : 'asking' });
  const turn = useRef(0);
  const last = useRef<string | undefined>(undefined);
  const ask = useCallback(() => {
    turn.current += 1;
    const own = turn.current;
    void hub.get('/api/me', meShape).then((reply) => {
      if (own !== turn.current) return;
      if (reply.ok) {
        begin(reply.value, last);
        setSession({ type: 'open', me: reply.value });
      } else if (reply.status === 401) setSession({ type: 'none' });
      // Whoever was here is still, as far as anybody knows: the hub refuses what is asked in a wrong name.
      else setSession((before) => (before.type === 'open' ? before : { type: 'unreachable' }));
    });
  }, [hub]);
  const leave = useCallback(() => {
    setSession({ type: 'asking' });
    ask();
  }, [ask]);
  const signedIn = useCallback(() => {
    tellOtherTabs();
    ask();
  }, [ask]);
  useEffect(() => {
    if (!linked) ask();
    return onOtherTabs(ask);
  }, [ask, linked]);
  return { session, ask, signedIn, leave };
}

/** Somebody else than before starts at the beginning; whoever comes back finds the page where they left it. */
function begin({ principal }: Me, last: { current: string | undefined }): void {
  const name = principalName(principal);
  if (last.current !== undefined && last.current !== name) {
    forgetRoutes();
    renameTo({ view: 'chat' });
  }
  last.current = name;
}
