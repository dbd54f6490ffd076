import type { JSX } from 'preact';
import { useCallback, useState } from 'preact/hooks';

interface Message {
  readonly text: string;
  /** So that the same words twice in a row are read twice. */
  readonly turn: number;
}

/** What is read aloud to people who use a screen reader. */
export function useAnnouncer(): { readonly message: Message; readonly announce: (text: string) => void } {
  const [message, setMessage] = useState<Message>({ text: '', turn: 0 });
  const announce = useCallback((text: string) => setMessage(({ turn }) => ({ text, turn: turn + 1 })), []);
  return { message, announce };
}

/** The place that screen readers listen to. */
export function Announcer({ message }: { readonly message: Message }): JSX.Element {
  return (
    <div class="unseen announcer" role="status" aria-live="polite">
      <p key={message.turn}>{message.text}</p>
    </div>
  );
}
