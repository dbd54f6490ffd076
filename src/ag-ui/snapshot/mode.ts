import type { MessagesSnapshotMode, StrandsAgentConfig } from '../config.ts';

/** When message snapshots are sent; `emitMessagesSnapshot: false` wins over a mode. */
export function snapshotMode(
  config: Pick<StrandsAgentConfig, 'emitMessagesSnapshot' | 'messagesSnapshot'>,
): MessagesSnapshotMode {
  return config.emitMessagesSnapshot === false ? 'off' : (config.messagesSnapshot ?? 'boundaries');
}
