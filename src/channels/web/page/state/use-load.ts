import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Failure, Reply } from '../wire/hub-client.ts';

/** Something that is read from the hub. What was read stays while it is read again. */
export interface Load<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  /** Reads it again; resolves to whether it could be read. */
  readonly reload: () => Promise<boolean>;
}

/** Reads something, and again when `key` changes or `reload` is called. The newest answer wins. */
export function useLoad<T>(key: string, load: () => Promise<Reply<T>>): Load<T> {
  const [state, setState] = useState<{ key: string; value?: T; failure?: Failure }>({ key });
  const newest = useRef({ key, load, turn: 0 });
  newest.current.load = load;
  newest.current.key = key;
  const reload = useCallback(async () => {
    newest.current.turn += 1;
    const { turn, key: asked } = newest.current;
    const reply = await newest.current.load();
    if (turn !== newest.current.turn) return reply.ok;
    setState((before) => {
      if (reply.ok) return { key: asked, value: reply.value };
      const kept = before.key === asked && before.value !== undefined ? { value: before.value } : {};
      return { key: asked, failure: reply, ...kept };
    });
    return reply.ok;
  }, []);
  // Another key is the reason to read again.
  useEffect(() => void reload(), [key, reload]);
  const current = state.key === key;
  return { value: current ? state.value : undefined, failure: current ? state.failure : undefined, reload };
}
