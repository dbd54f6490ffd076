export type {
  ArgsStreamer,
  CustomResultHandler,
  Logger,
  MaybePromise,
  MessagesSnapshotMode,
  PredictStateMapping,
  RequestContext,
  SessionManagerProvider,
  StateContextBuilder,
  StateFromArgs,
  StateFromResult,
  StatePayload,
  StrandsAgentConfig,
  TemplateToolSelectionEntry,
  TemplateToolsProvider,
  ThreadAgentConfigProvider,
  ToolBehavior,
  ToolCallContext,
  ToolCallContextExtras,
  ToolProducer,
  ToolResultContext,
  ToolStreamEventContext,
  ToolStreamEventHandler,
} from './config.ts';
export { INTERRUPT_CANCELLED } from './interrupt/cancelled.ts';
export { flattenContentToText } from './request/content.ts';
export { buildStrandsSeed, convertAguiContentToStrands, convertMessagesForStrandsSeed } from './request/conversion.ts';
export { buildContextExtras } from './request/extras.ts';
export { RunError, type RunErrorCode } from './run-error.ts';
export { RunStopped } from './run-stopped.ts';
export { buildSnapshotMessages } from './snapshot/snapshot-messages.ts';
export { StrandsAgent } from './strands-agent.ts';
export type { StrandsAgentOptions, StrandsAgentRunOptions } from './strands-agent-options.ts';
export type { StrandsOrchestrator, ThreadAgentFactory, ThreadInfo } from './thread/agent-source.ts';
export { sessionIdOf } from './thread/session-id.ts';
export { threadOf } from './thread/thread-of.ts';
export { createProxyTool, isProxyTool, type StrandsToolRegistry, syncProxyTools } from './tools/client-tools.ts';
export { EVERY_TEMPLATE_TOOL, type ExemptNames, parkedBatchToolNames } from './tools/parked-batch.ts';
export { syncTemplateTools } from './tools/template-tools.ts';
export type { TauAnswer, TauDecided, TauInterruptMetadata, TauPending } from './wire.ts';
