import { useState } from 'preact/hooks';
import { usePage } from '../state/page-context.ts';
import { stopShape } from '../wire/shapes.ts';

/** Where an order to stop is: `failed` is told, and it can be given again. */
export type Stopping = 'none' | 'busy' | 'failed';

/** Stops what the agent does in a conversation, whoever started it. The run belongs to the hub, not to this tab. */
export function useStop(
  threadId: string,
  stopped: (wasRunning: boolean) => void,
): { readonly stopping: Stopping; readonly stop: () => void } {
  const { hub } = usePage();
  const [stopping, setStopping] = useState<Stopping>('none');
  const stop = async (): Promise<void> => {
    if (stopping === 'busy') return;
    setStopping('busy');
    const reply = await hub.post(`/api/threads/${encodeURIComponent(threadId)}/stop`, undefined, stopShape);
    setStopping(reply.ok ? 'none' : 'failed');
    if (reply.ok) stopped(reply.value.stopped);
  };
  return { stopping, stop: () => void stop() };
}
