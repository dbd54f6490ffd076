import type { BaseEvent, Message } from '@ag-ui/core';
import type {
  ArgsStreamer,
  CustomResultHandler,
  StateFromArgs,
  StateFromResult,
  StatePayload,
  ToolStreamEventHandler,
} from '../config.ts';
import type { RunErrorCode } from '../run-error.ts';

/** A call as a developer's hook sees it. */
export interface CallView {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: unknown;
  readonly argsStr: string;
}

/** A result as a developer's hook sees it. */
export interface ResultView extends CallView {
  readonly resultData: unknown;
  readonly messageId: string;
}

/** A progress report as a developer's hook sees it. */
export interface ProgressView {
  readonly toolName: string;
  readonly toolUseId: string;
  readonly data: unknown;
}

/** A place where developer code runs; what it yields goes out before the next output. */
export type HookPoint =
  | { readonly type: 'hook'; readonly hook: 'stateFromArgs'; readonly run: StateFromArgs; readonly view: CallView }
  | { readonly type: 'hook'; readonly hook: 'argsStreamer'; readonly run: ArgsStreamer; readonly view: CallView }
  | {
      readonly type: 'hook';
      readonly hook: 'stateFromResult';
      readonly run: StateFromResult;
      readonly view: ResultView;
    }
  | {
      readonly type: 'hook';
      readonly hook: 'customResultHandler';
      readonly run: CustomResultHandler;
      readonly view: ResultView;
    }
  | {
      readonly type: 'hook';
      readonly hook: 'toolStreamEventHandler';
      readonly run: ToolStreamEventHandler;
      readonly view: ProgressView;
    };

/** Why a run is to end when the tools of the message are done. */
export type HaltReason = 'frontend' | 'result';

/**
 * What the machine wants done, in order.
 *
 * | type | meaning |
 * |---|---|
 * | `event` | send it |
 * | `message` | the thread has a new message; `snapshot` when this is a place for a snapshot |
 * | `state` | a tool reported state: merge it and show the whole |
 * | `hook` | run the developer's code |
 * | `halt` | do not let the model go on |
 * | `reject` | the run cannot go on: close everything and fail with this error |
 */
export type Output =
  | { readonly type: 'event'; readonly event: BaseEvent }
  | { readonly type: 'message'; readonly message: Message; readonly snapshot: boolean }
  | { readonly type: 'state'; readonly state: StatePayload }
  | { readonly type: 'halt'; readonly reason: HaltReason }
  | { readonly type: 'reject'; readonly code: RunErrorCode; readonly message: string }
  | HookPoint;

/** Sends one event. */
export function send(event: BaseEvent): Output {
  return { type: 'event', event };
}
