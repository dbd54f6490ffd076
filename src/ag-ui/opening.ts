import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { StrandsAgentConfig } from './config.ts';
import type { HookError } from './request/prompt.ts';
import { snapshotMode } from './snapshot/mode.ts';
import { buildSnapshotMessages } from './snapshot/snapshot-messages.ts';
import { custom, messagesSnapshot, stateSnapshot } from './translate/events.ts';
import { isKeyed, shownState } from './translate/shared-state.ts';

/** What a client is shown before the agent runs: its state and its messages, as the server took them. */
export function* opening(input: RunAgentInput, config: StrandsAgentConfig): Generator<BaseEvent, void, undefined> {
  if (isKeyed(input.state)) yield stateSnapshot(shownState(input.state));
  if (snapshotMode(config) !== 'off' && input.messages.length > 0) {
    yield messagesSnapshot(buildSnapshotMessages(input.messages));
  }
}

/** Tells of a hook that failed before the agent ran. */
export function hookFailed({ hook, tool, error }: HookError): BaseEvent {
  return custom('hook_error', { hook, tool, error });
}
