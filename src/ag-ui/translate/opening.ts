import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { StrandsAgentConfig } from '../config.ts';
import { snapshotMode } from '../snapshot/mode.ts';
import { buildSnapshotMessages } from '../snapshot/snapshot-messages.ts';
import { messagesSnapshot, stateSnapshot } from './events.ts';
import { isKeyed, shownState } from './shared-state.ts';

/** What a run shows before the model is asked: the client's state, if it has keys, and its messages, if there are any. */
export function openingEvents(input: RunAgentInput, config: StrandsAgentConfig): readonly BaseEvent[] {
  const events: BaseEvent[] = [];
  if (isKeyed(input.state)) events.push(stateSnapshot(shownState(input.state)));
  if (snapshotMode(config) !== 'off' && input.messages.length > 0) {
    events.push(messagesSnapshot(buildSnapshotMessages(input.messages)));
  }
  return events;
}
