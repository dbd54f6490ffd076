import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { AgentConfig, SessionManager, Tool } from '@strands-agents/sdk';
import type { Principal } from '../core/call.ts';

/** Where the bridge writes. Warnings and errors go to the console by default; debug lines are dropped. */
export interface Logger {
  /** For whoever looks for a fault. */
  debug(message: string, ...args: unknown[]): void;
  /** What a person should look at some time. */
  warn(message: string, ...args: unknown[]): void;
  /** What a person should look at now. */
  error(message: string, ...args: unknown[]): void;
}

/** A value or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Who sent a request, as the server found out. `forwardedProps` is written by the client and proves nothing. */
export interface RequestContext {
  /** `anonymous` when the server identifies nobody. */
  readonly principal: Principal;
  /** The request's headers, names in lower case; empty when the bridge is driven without HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
  /** Whether the request's answers to approvals count as decisions of the principal; left out, they do. */
  readonly mayDecide?: boolean;
}

/** What the request says besides its messages, read into plain records for hooks. */
export interface ToolCallContextExtras {
  /** `RunAgentInput.context` as description => value. No prototype. */
  readonly context: Readonly<Record<string, string>>;
  readonly forwardedProps: Readonly<Record<string, unknown>>;
}

/** What a hook gets about a tool call. */
export interface ToolCallContext extends ToolCallContextExtras {
  readonly inputData: RunAgentInput;
  readonly toolName: string;
  readonly toolUseId: string;
  readonly toolInput: unknown;
  /** The arguments as JSON text. */
  readonly argsStr: string;
}

/** What a hook gets about a tool result. */
export interface ToolResultContext extends ToolCallContext {
  readonly resultData: unknown;
  readonly messageId: string;
}

/** A progress report of a running tool. */
export interface ToolStreamEventContext extends ToolCallContextExtras {
  readonly inputData: RunAgentInput;
  readonly toolName: string;
  readonly toolUseId: string;
  readonly data: unknown;
}

/** State that a hook shows to the client. */
export type StatePayload = Record<string, unknown>;

/** Streams the arguments of a call to the client in pieces of its own. */
export type ArgsStreamer = (context: ToolCallContext) => AsyncIterable<string>;
/** Derives state from the arguments of a call. */
export type StateFromArgs = (context: ToolCallContext) => MaybePromise<StatePayload | null | undefined>;
/** Derives state from a result. */
export type StateFromResult = (context: ToolResultContext) => MaybePromise<StatePayload | null | undefined>;
/** Emits AG-UI events of its own for a result. */
export type CustomResultHandler = (context: ToolResultContext) => AsyncIterable<BaseEvent | null | undefined>;
/** Emits AG-UI events for a progress report. */
export type ToolStreamEventHandler = (context: ToolStreamEventContext) => AsyncIterable<BaseEvent | null | undefined>;
/** Rewrites the prompt, usually to add the shared state. */
export type StateContextBuilder = (inputData: RunAgentInput, prompt: string, extras?: ToolCallContextExtras) => string;

/** Tells the client how to predict state from streaming arguments. */
export interface PredictStateMapping {
  readonly stateKey: string;
  readonly tool: string;
  readonly toolArgument: string;
}

/** How one tool is shown to the client. */
export interface ToolBehavior {
  /** Suppresses the message snapshots of this tool's calls. */
  readonly skipMessagesSnapshot?: boolean;
  /** Keeps the run going after a call of a client tool. */
  readonly continueAfterFrontendCall?: boolean;
  /** Ends the run after the result. */
  readonly stopStreamingAfterResult?: boolean;
  readonly predictState?: PredictStateMapping | Iterable<PredictStateMapping>;
  readonly argsStreamer?: ArgsStreamer;
  readonly stateFromArgs?: StateFromArgs;
  readonly stateFromResult?: StateFromResult;
  readonly customResultHandler?: CustomResultHandler;
  readonly toolStreamEventHandler?: ToolStreamEventHandler;
  /**
   * Asks the client before the tool runs. Whoever runs the thread may answer, but an agent or a credential without
   * `mayDecide`. For a guarded tool prefer its tier: that question has a decider and a record.
   */
  readonly interruptOnCall?: boolean;
}

/** A tool of the template, by name or as the object. */
export type TemplateToolSelectionEntry = string | Tool;

/**
 * Which of the template's tools one request may see. Called once per request.
 *
 * | answer | meaning |
 * |---|---|
 * | `null`, `undefined` | no filter: every template tool |
 * | a list, set, or other sync iterable of names or tools | exactly these; an empty one withholds all |
 * | a string, a `Map`, a plain object, a number, an async iterable | refused: the run ends with `TEMPLATE_TOOLS_PROVIDER_ERROR` |
 */
export type TemplateToolsProvider = (
  input: RunAgentInput,
  context: RequestContext,
) => MaybePromise<Iterable<TemplateToolSelectionEntry> | null | undefined>;

/** Makes the session manager of a thread; called once per thread. */
export type SessionManagerProvider = (
  input: RunAgentInput,
  context: RequestContext,
) => MaybePromise<SessionManager | null | undefined>;

/** Adds to the configuration of a thread's agent; called once per thread. */
export type ThreadAgentConfigProvider = (
  input: RunAgentInput,
  context: RequestContext,
) => MaybePromise<Partial<AgentConfig> | null | undefined>;

/** A further source of tools for one run, such as an injected renderer. */
export interface ToolProducer {
  readonly name: string;
  /** The tools of this run. They are vouched for by the bridge, so they must do nothing on the server by themselves. */
  produce(input: RunAgentInput, context: RequestContext, existing: readonly string[]): MaybePromise<readonly Tool[]>;
}

/** When the whole message list is sent to the client. */
export type MessagesSnapshotMode = 'boundaries' | 'run' | 'off';

/** Settings of the bridge. All optional. */
export interface StrandsAgentConfig {
  /** Per tool name. */
  readonly toolBehaviors?: Readonly<Record<string, ToolBehavior>>;
  readonly stateContextBuilder?: StateContextBuilder;
  readonly sessionManagerProvider?: SessionManagerProvider;
  readonly threadAgentConfig?: ThreadAgentConfigProvider;
  readonly templateToolsProvider?: TemplateToolsProvider;
  /** `false` is the same as `messagesSnapshot: 'off'`. */
  readonly emitMessagesSnapshot?: boolean;
  /** `boundaries` (default): after every call, result and text; `run`: at the start and the end; `off`: never. */
  readonly messagesSnapshot?: MessagesSnapshotMode;
  /** Replays the client's history to the model when the thread has no session manager. Default `true`. */
  readonly replayHistoryIntoStrands?: boolean;
  /**
   * Where the conversation in message snapshots comes from: `client` (default) repeats what the request says; `session`
   * tells a thread that has a session manager whole, so that a client that was away gets what it missed.
   */
  readonly messagesFrom?: 'client' | 'session';
  /** Sends `*_CHUNK` events in place of start, content and end. */
  readonly emitChunkEvents?: boolean;
  readonly logger?: Logger;
  /** Reason of a parked approval on the wire; default `tau:approval`. */
  readonly approvalReason?: 'tau:approval' | 'tool_call';
  /** At most this many threads are kept, busy ones counted; idle ones go, the longest unused first. Default 1000. */
  readonly maxThreads?: number;
  /** Idle threads are dropped after this many seconds; default 3600. */
  readonly threadIdleSeconds?: number;
  /**
   * How long tools that are at work may go on when their client has left, in seconds; default 30, `Infinity` for as long
   * as they take. The thread is kept for them, so that what they did gets into the conversation; after that time it is
   * free, and what they do later is told by the gate's events and records only. Of a plain agent nothing is known, and it
   * is left at once.
   */
  readonly finishToolsSeconds?: number;
  readonly toolProducers?: readonly ToolProducer[];
}
