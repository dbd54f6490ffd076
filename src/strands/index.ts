export { attemptAgain, canAttempt } from './attempt-again.ts';
export { buildAgent } from './build-agent.ts';
export {
  type BuildAgentOptions,
  type GuardedToolList,
  type HookOption,
  hook,
  type LateGuardOptions,
  type SdkOptions,
} from './build-options.ts';
export { hooksBehindGate } from './hooks-behind-gate.ts';
export type { InputSchema } from './input-parser.ts';
export { type ResumeOptions, type StreamOptions, TauAgent } from './tau-agent.ts';
export type { TauAgentParts } from './tau-agent-parts.ts';
export {
  effectOf,
  type GuardOptions,
  guardTool,
  type TauToolCallback,
  type TauToolInput,
  type TauToolOptions,
  tauTool,
  tierOf,
} from './tau-tool.ts';
export { TierHook } from './tier-hook.ts';
export type { TurnEndReason, TurnEvent } from './turn-event.ts';
