import { checkOptions, type OptionKinds } from '../core/check-options.ts';
import { ConfigError } from '../core/errors.ts';
import type { StrandsAgentConfig, ToolBehavior } from './config.ts';
import type { StrandsAgentOptions } from './strands-agent-options.ts';

const OPTIONS: OptionKinds<StrandsAgentOptions> = {
  agent: 'any',
  name: 'string',
  description: 'string',
  config: 'record',
  plugins: 'list',
  agentsByThread: 'map',
};

const CONFIG: OptionKinds<StrandsAgentConfig> = {
  toolBehaviors: 'record',
  stateContextBuilder: 'function',
  sessionManagerProvider: 'function',
  threadAgentConfig: 'function',
  templateToolsProvider: 'function',
  emitMessagesSnapshot: 'boolean',
  messagesSnapshot: ['boundaries', 'run', 'off'],
  replayHistoryIntoStrands: 'boolean',
  messagesFrom: ['client', 'session'],
  emitChunkEvents: 'boolean',
  logger: 'object',
  approvalReason: ['tau:approval', 'tool_call'],
  maxThreads: 'number from 0 on',
  threadIdleSeconds: 'number from 0 on',
  finishToolsSeconds: 'number from 0 on or Infinity',
  toolProducers: 'list',
};

const BEHAVIOR: OptionKinds<ToolBehavior> = {
  skipMessagesSnapshot: 'boolean',
  continueAfterFrontendCall: 'boolean',
  stopStreamingAfterResult: 'boolean',
  predictState: 'object or list',
  argsStreamer: 'function',
  stateFromArgs: 'function',
  stateFromResult: 'function',
  customResultHandler: 'function',
  toolStreamEventHandler: 'function',
  interruptOnCall: 'boolean',
};

/** Settings of `@ag-ui/aws-strands` for what this bridge does not serve. */
const UNSERVED: readonly string[] = ['a2ui', 'urlFetchPolicy', 'audioInputSupported'];

/**
 * Checks everything that a bridge is made from. A setting whose name is misspelt would be ignored, and some of them
 * restrict what an agent may do.
 *
 * @returns Names of settings that are known and do nothing here.
 * @throws ConfigError that names the setting.
 */
export function checkAgentOptions(options: StrandsAgentOptions): readonly string[] {
  checkOptions('StrandsAgent', options, OPTIONS);
  const { config = {} } = options;
  const given = Object.entries(config);
  const served: StrandsAgentConfig = Object.fromEntries(given.filter(([name]) => !UNSERVED.includes(name)));
  checkOptions('StrandsAgent config', served, CONFIG);
  for (const [tool, behavior] of Object.entries(config.toolBehaviors ?? {})) {
    if (behavior === undefined) continue;
    const taker = `StrandsAgent config.toolBehaviors[${JSON.stringify(tool)}]`;
    checkOptions(taker, behavior, BEHAVIOR);
  }
  checkLogger(config);
  return UNSERVED.filter((name) => name in config);
}

/** One that cannot be written to would fail where something is being reported. */
function checkLogger({ logger }: StrandsAgentConfig): void {
  if (logger === undefined) return;
  const missing = (['debug', 'warn', 'error'] as const).filter((level) => typeof logger[level] !== 'function');
  if (missing.length > 0) throw new ConfigError(`StrandsAgent config: the logger has no ${missing.join(', ')}`);
}
