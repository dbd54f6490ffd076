import { type Context, createContext } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Language } from '../../../../core/i18n.ts';
import type { Reader } from '../told/who.ts';
import type { HubClient } from '../wire/hub-client.ts';
import type { Me } from '../wire/shapes.ts';
import type { Words } from '../words/words.ts';
import type { ChatMemory } from './chat-memory.ts';
import type { Desk, DeskEvents, DeskState } from './desk.ts';

/** What every view is given. */
export interface PageParts {
  readonly hub: HubClient;
  readonly desk: Desk;
  readonly chats: ChatMemory;
  readonly me: Me;
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
  /** Tells somebody who does not look at the screen. */
  readonly announce: (text: string) => void;
}

/** Handed down by `App`. */
export const PageContext: Context<PageParts | undefined> = createContext<PageParts | undefined>(undefined);

/** The page's parts. */
export function usePage(): PageParts {
  const parts = useContext(PageContext);
  if (parts === undefined) throw new Error('a view stands outside of the page');
  return parts;
}

/** The words of the language that is chosen. */
export function useWords(): Words {
  return usePage().words;
}

/** What the desk knows; the view is drawn again when it changes. */
export function useDesk(): DeskState {
  const { desk } = usePage();
  const [state, setState] = useState(desk.state);
  useLayoutEffect(() => {
    setState(desk.state);
    return desk.watch(() => setState(desk.state));
  }, [desk]);
  return state;
}

/** Calls the newest `listener` whenever something happens in the hub. */
export function useDeskEvent<K extends keyof DeskEvents>(name: K, listener: (data: DeskEvents[K]) => void): void {
  const { desk } = usePage();
  const newest = useRef(listener);
  newest.current = listener;
  useLayoutEffect(() => desk.on(name, (data) => newest.current(data)), [desk, name]);
}

/** The time, renewed so often; for what counts down. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Whom the page speaks to, and in which words. */
export function useReader(): Reader {
  const { me, words } = usePage();
  return useMemo(() => ({ me: me.principal, words }), [me, words]);
}
