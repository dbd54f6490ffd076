import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { freshId } from '../state/fresh-id.ts';
import { useDeskEvent, usePage } from '../state/page-context.ts';
import type { Reply } from '../wire/hub-client.ts';
import { type Thread, threadShape } from '../wire/shapes.ts';
import { type ChatState, EMPTY_CHAT } from './chat-shape.ts';
import { breakOff, say } from './chat-state.ts';
import { followRun } from './follow-run.ts';
import { itemsOf } from './history.ts';
import { isNews } from './phase.ts';
import { afterReading, unsureOf } from './sent.ts';
import { type Stopping, useStop } from './use-stop.ts';

/** A conversation, and what can be done in it. */
export interface Chat {
  readonly state: ChatState;
  /** `missing`: there is no such conversation, or it is somebody else's. */
  readonly read: 'reading' | 'read' | 'missing' | 'failed';
  readonly send: (text: string) => void;
  readonly stop: () => void;
  readonly stopping: Stopping;
  readonly reload: () => Promise<void>;
}

/**
 * Keeps one conversation: reads it from the hub, runs what the person says, and reads it again when the hub tells that
 * something happened in it that this page did not follow.
 *
 * @param fresh - Whether nobody has said anything in it, so that there is nothing to read.
 */
export function useChat(threadId: string, fresh: boolean): Chat {
  const { hub, desk, chats } = usePage();
  const [state, setState] = useState(() => ({ ...EMPTY_CHAT, items: chats.unsure.get(threadId) ?? [] }));
  const [read, setRead] = useState<Chat['read']>(fresh ? 'read' : 'reading');
  const run = useRef<AbortController | undefined>(undefined);
  const newest = useRef(state);
  newest.current = state;
  chats.unsure.set(threadId, unsureOf(state));

  /** The last reading that was begun and has not come back; of several only that one counts. */
  const reading = useRef<symbol | undefined>(undefined);

  const look = useCallback(
    async (afterLoss: boolean) => {
      const own = Symbol();
      reading.current = own;
      const reply = await hub.get(`/api/threads/${encodeURIComponent(threadId)}`, threadShape);
      if (reading.current !== own) return;
      reading.current = undefined;
      if (run.current !== undefined) return;
      const found = conversationIn(reply, chats.begun.has(threadId));
      if (found !== undefined) {
        setRead('read');
        setState((before) => afterReading(before, itemsOf(found.messages), found.status));
      } else setRead((before) => readAfter(before, reply, afterLoss));
    },
    [hub, chats, threadId],
  );
  const reload = useCallback(() => look(false), [look]);

  useEffect(() => {
    if (!fresh) void reload();
    return () => run.current?.abort();
    // A conversation that was begun here is known already.
  }, [reload]);
  // What is being read may be from before.
  const mayBeOld = (): boolean => reading.current !== undefined;
  useDeskEvent('back', () => {
    if (mayBeOld() || newest.current.items.length > 0) void reload();
  });
  useDeskEvent('thread', (event) => {
    if (event.threadId === threadId && (mayBeOld() || isNews(newest.current.phase, event.status))) void reload();
  });

  const { stopping, stop } = useStop(threadId, (wasRunning) => {
    const followed = run.current;
    followed?.abort();
    if (wasRunning) setState((before) => breakOff(before, 'stopped'));
    if (followed === undefined) void reload();
  });
  const send = (text: string): void => {
    const controller = new AbortController();
    run.current = controller;
    const message = { threadId, runId: freshId(), id: freshId(), text };
    setState((before) => say(before, message.id, text));
    void followRun(hub, message, setState, controller.signal).then((followed) => {
      run.current = undefined;
      if (!followed) void look(true);
      void desk.refresh();
    });
  };
  return { state, read, send, stop, stopping, reload };
}

/** The conversation as the hub has it. It knows one from its first message on, which it may not have heard. */
function conversationIn(reply: Reply<Thread>, begunHere: boolean): Pick<Thread, 'messages' | 'status'> | undefined {
  if (reply.ok) return reply.value;
  return isMissing(reply) && begunHere ? { messages: [], status: 'idle' } : undefined;
}

function isMissing(reply: Reply<Thread>): boolean {
  return !reply.ok && reply.status === 404;
}

/** What a reading that failed leaves. After a loss it is told already that the hub is away, and read again once it is back. */
function readAfter(before: Chat['read'], reply: Reply<Thread>, afterLoss: boolean): Chat['read'] {
  if (isMissing(reply)) return 'missing';
  return afterLoss && !reply.ok && reply.status === 0 ? before : 'failed';
}
