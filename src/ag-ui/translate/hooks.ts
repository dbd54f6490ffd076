import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { errorText } from '../../core/errors.ts';
import type { Logger, StatePayload, ToolCallContextExtras } from '../config.ts';
import { custom, RUN_ERROR, RUN_FINISHED, RUN_STARTED, STATE_SNAPSHOT, toolArgs } from './events.ts';
import type { HookPoint } from './output.ts';
import { isKeyed, type SharedState } from './shared-state.ts';

/** The beginning and the end of a run belong to the bridge. */
const NOT_FOR_HOOKS: ReadonlySet<string> = new Set([RUN_STARTED, RUN_FINISHED, RUN_ERROR]);

/** What hooks get besides the call. */
export interface HookSetting {
  readonly input: RunAgentInput;
  readonly extras: ToolCallContextExtras;
  readonly state: SharedState;
  readonly log: Logger;
}

/**
 * Runs the developer's code at one point and yields its events. A failure is told to the client and ends nothing but
 * this hook; one of a progress handler goes to the log only.
 *
 * @returns Whether the hook went through.
 */
export async function* runHook(point: HookPoint, setting: HookSetting): AsyncGenerator<BaseEvent, boolean, undefined> {
  try {
    yield* eventsOf(point, setting);
    return true;
  } catch (error) {
    const failure = `${point.hook} of tool '${point.view.toolName}' failed: ${errorText(error)}`;
    setting.log.warn(failure);
    if (point.hook !== 'toolStreamEventHandler') {
      yield custom('hook_error', { hook: point.hook, tool: point.view.toolName, error: errorText(error) });
    }
    return false;
  }
}

async function* eventsOf(point: HookPoint, setting: HookSetting): AsyncGenerator<BaseEvent, void, undefined> {
  const { input: inputData, extras } = setting;
  switch (point.hook) {
    case 'stateFromArgs':
      return yield* showState(await point.run({ inputData, ...extras, ...point.view }), setting.state);
    case 'stateFromResult':
      return yield* showState(await point.run({ inputData, ...extras, ...point.view }), setting.state);
    case 'argsStreamer':
      for await (const piece of point.run({ inputData, ...extras, ...point.view })) {
        if (piece !== '') yield toolArgs(point.view.toolUseId, String(piece));
      }
      return;
    case 'customResultHandler':
      return yield* passOn(point.run({ inputData, ...extras, ...point.view }), setting);
    case 'toolStreamEventHandler':
      return yield* passOn(point.run({ inputData, ...extras, ...point.view }), setting);
    default:
      return point satisfies never;
  }
}

function* showState(
  state: StatePayload | null | undefined,
  shared: SharedState,
): Generator<BaseEvent, void, undefined> {
  if (state === null || state === undefined) return;
  if (!isKeyed(state)) throw new TypeError('state must be an object with keys');
  yield shared.merge(state);
}

/** Events of the developer's own making. State they show is kept, so that later snapshots do not take it back. */
async function* passOn(
  events: AsyncIterable<BaseEvent | null | undefined>,
  setting: HookSetting,
): AsyncGenerator<BaseEvent, void, undefined> {
  for await (const event of events) {
    if (event === null || event === undefined) continue;
    if (typeof event.type !== 'string' || NOT_FOR_HOOKS.has(event.type)) {
      setting.log.warn(`a hook may not send an event of type '${String(event.type)}'; it was left out`);
      continue;
    }
    if (event.type === STATE_SNAPSHOT && isKeyed(event.snapshot)) setting.state.note(event.snapshot);
    yield event;
  }
}
