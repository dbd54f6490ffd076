import type {
  AgentConfig,
  BackgroundTasksConfig,
  HookableEvent,
  HookableEventConstructor,
  HookCallback,
  McpClient,
  Model,
  ModelRouter,
  Plugin,
  SessionManager,
  Tool,
} from '@strands-agents/sdk';
import type { ApprovalStore } from '../core/approval-store.ts';
import type { Approver } from '../core/approver.ts';
import type { ToolCatalog } from '../core/catalog.ts';
import { closest } from '../core/did-you-mean.ts';
import { ConfigError } from '../core/errors.ts';
import type { EventSink } from '../core/events.ts';
import type { TierGate } from '../core/gate.ts';
import type { Language } from '../core/i18n.ts';
import type { Clock, Logger, Random } from '../core/platform.ts';
import type { Policy } from '../core/policy.ts';
import type { GuardOptions } from './tau-tool.ts';

/** A hook to add to the agent; made with `hook`. */
export interface HookOption {
  readonly event: HookableEventConstructor;
  /** Lower runs first; one that would run behind the gate is refused. */
  readonly order?: number;
  /** Called with each event of that kind. */
  callback(event: HookableEvent): void | Promise<void>;
}

/** A hook for `buildAgent({ hooks: [hook(BeforeModelCallEvent, (event) => …)] })`. */
export function hook<T extends HookableEvent>(
  event: HookableEventConstructor<T>,
  callback: HookCallback<T>,
  order?: number,
): HookOption {
  // The SDK calls it with events of this kind only.
  return { event, callback: callback as HookCallback<HookableEvent>, ...(order === undefined ? {} : { order }) };
}

/** A list of tools, nested as one likes. An MCP client brings its tools when the agent starts; name them in `guard`. */
export type GuardedToolList = readonly (Tool | McpClient | GuardedToolList)[];

/** The tier of a tool that a plugin or an MCP client brings. */
export interface LateGuardOptions extends GuardOptions {
  /**
   * The MCP client whose tool is meant. Without it a name belongs to whoever brings it first; one that two MCP servers
   * bring at once is not offered.
   */
  readonly client?: McpClient;
}

/** The SDK's own options that `buildAgent` hands on as they are. */
export type SdkOptions = Omit<
  AgentConfig,
  'model' | 'tools' | 'plugins' | 'toolExecutor' | 'backgroundTasks' | 'sessionManager' | 'checkpointing'
>;

/** What an agent is built from. `gate`, or the parts of one. */
export interface BuildAgentOptions extends SdkOptions {
  /** The SDK's model, model router, or the id of a Bedrock model. */
  readonly model: Model | ModelRouter | string;
  /** Tools from `tauTool` or `guardTool`; one without a tier is refused. */
  readonly tools?: GuardedToolList;
  /** A gate to share; then none of its parts may be given. */
  readonly gate?: TierGate;
  readonly catalog?: ToolCatalog;
  readonly approver?: Approver;
  readonly policy?: Policy;
  readonly timeoutSeconds?: number;
  readonly useWithinSeconds?: number;
  readonly store?: ApprovalStore;
  readonly sinks?: readonly EventSink[];
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly redact?: readonly string[];
  /** Language of notices; default that of the gate. */
  readonly language?: Language;
  /** Model calls in one user turn; default 20. */
  readonly maxTurns?: number;
  /** Tokens that one user turn may use. */
  readonly limits?: { readonly outputTokens?: number; readonly totalTokens?: number };
  readonly hooks?: readonly HookOption[];
  readonly plugins?: readonly Plugin[];
  /** Tiers for tools that plugins and MCP clients bring; one that is not named here stays refused. */
  readonly guard?: Readonly<Record<string, LateGuardOptions>>;
  readonly sessionManager?: SessionManager;
  readonly backgroundTasks?: boolean | BackgroundTasksConfig;
  /** Name of the conversation in approvals; default the SDK's session id. */
  readonly conversation?: string;
  /** Name of the channel the conversation is held on, for the record. */
  readonly channel?: string;
}

/** Name of an option that is a part of a gate. */
type GatePart =
  | 'catalog'
  | 'approver'
  | 'policy'
  | 'timeoutSeconds'
  | 'useWithinSeconds'
  | 'store'
  | 'sinks'
  | 'logger'
  | 'clock'
  | 'random'
  | 'redact';

const GATE_PARTS: readonly (GatePart & keyof BuildAgentOptions)[] = [
  'catalog',
  'approver',
  'policy',
  'timeoutSeconds',
  'useWithinSeconds',
  'store',
  'sinks',
  'logger',
  'clock',
  'random',
  'redact',
];

/** The parts of a gate that options give. */
export function givenParts(options: BuildAgentOptions): GatePart[] {
  return GATE_PARTS.filter((name) => options[name] !== undefined);
}

const OWN_OPTIONS: ReadonlySet<string> = new Set<Exclude<keyof BuildAgentOptions, keyof SdkOptions>>([
  ...GATE_PARTS,
  'model',
  'tools',
  'gate',
  'language',
  'maxTurns',
  'limits',
  'hooks',
  'plugins',
  'guard',
  'sessionManager',
  'backgroundTasks',
  'conversation',
  'channel',
]);

/**
 * The SDK's options, which are the same in 1.16 and 1.19: the types of both check this list. One that a later version adds
 * is handed on as well.
 */
const SDK_OPTIONS: Readonly<Record<keyof AgentConfig, true>> = {
  model: true,
  messages: true,
  tools: true,
  systemPrompt: true,
  appState: true,
  modelState: true,
  printer: true,
  conversationManager: true,
  contextManager: true,
  plugins: true,
  backgroundTasks: true,
  retryStrategy: true,
  interventions: true,
  structuredOutputSchema: true,
  sessionManager: true,
  memoryManager: true,
  traceAttributes: true,
  name: true,
  description: true,
  id: true,
  toolExecutor: true,
  checkpointing: true,
  sandbox: true,
  storage: true,
};

/**
 * Refuses an option that is one slip away from one of tau's: the SDK would ignore it, and the agent would be built without
 * its approver or policy. Others may be of a later SDK.
 *
 * @throws ConfigError that names it and what was meant.
 */
export function refuseMisspelt(options: object): void {
  const known = new Set([...OWN_OPTIONS, ...Object.keys(SDK_OPTIONS)]);
  for (const name of Object.keys(options)) {
    const meant = known.has(name) ? undefined : closest(name, known, 1);
    if (meant === undefined || !OWN_OPTIONS.has(meant)) continue;
    throw new ConfigError(`buildAgent: unknown option '${name}' (did you mean '${meant}'?)`);
  }
}

/** Everything that is the SDK's; what is tau's own is taken out by name. */
export function sdkOptions(options: BuildAgentOptions): AgentConfig {
  return Object.fromEntries(
    Object.entries(options).filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined),
  );
}
