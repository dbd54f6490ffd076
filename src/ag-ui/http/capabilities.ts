import type { ServedAgent } from './served-agent.ts';

type Flags = Readonly<Record<string, boolean>>;

/** What a server can do, for clients that ask before they run anything. */
export interface StrandsAguiCapabilities {
  readonly protocol: string;
  readonly transports: Flags;
  /** Which events may come. */
  readonly events: Flags;
  readonly features: Flags;
}

/** Flags that an application knows better. Only flags that exist can be set, and only to `true` or `false`. */
export interface StrandsAguiCapabilitiesOverrides {
  readonly transports?: Flags;
  readonly events?: Flags;
  readonly features?: Flags;
}

/** What holds when an agent has no settings of its own. */
export const DEFAULT_CAPABILITIES: StrandsAguiCapabilities = Object.freeze({
  protocol: '1',
  transports: Object.freeze({ sse: true, protobuf: true, websocket: false }),
  events: Object.freeze({
    RUN_STARTED: true,
    RUN_FINISHED: true,
    RUN_ERROR: true,
    STEP_STARTED: true,
    STEP_FINISHED: true,
    TEXT_MESSAGE_START: true,
    TEXT_MESSAGE_CONTENT: true,
    TEXT_MESSAGE_END: true,
    TEXT_MESSAGE_CHUNK: false,
    TOOL_CALL_START: true,
    TOOL_CALL_ARGS: true,
    TOOL_CALL_END: true,
    TOOL_CALL_CHUNK: false,
    TOOL_CALL_RESULT: true,
    REASONING_START: true,
    REASONING_MESSAGE_START: true,
    REASONING_MESSAGE_CONTENT: true,
    REASONING_MESSAGE_END: true,
    REASONING_MESSAGE_CHUNK: false,
    REASONING_END: true,
    REASONING_ENCRYPTED_VALUE: true,
    STATE_SNAPSHOT: true,
    STATE_DELTA: false,
    MESSAGES_SNAPSHOT: true,
    ACTIVITY_SNAPSHOT: false,
    ACTIVITY_DELTA: false,
    CUSTOM: true,
    RAW: true,
  }),
  features: Object.freeze({
    interrupts: true,
    toolCallInterruptEditedArgs: true,
    messagesSnapshot: true,
    protobuf: true,
    resumableStreams: false,
    stateDelta: false,
    multipleRunsPerStream: false,
    citations: false,
    media: false,
    orchestrators: false,
  }),
});

/** The three families of events that come in one form or the other. */
const FAMILIES = ['TEXT_MESSAGE', 'REASONING_MESSAGE', 'TOOL_CALL'];

/** What a server of this agent can do: the defaults, the application's word, and what the agent's settings decide. */
export function capabilitiesFor(
  agent?: Pick<ServedAgent, 'config'>,
  overrides: StrandsAguiCapabilitiesOverrides = {},
): StrandsAguiCapabilities {
  const { protocol, transports, events, features } = DEFAULT_CAPABILITIES;
  return {
    protocol,
    transports: overridden(transports, overrides.transports),
    events: { ...overridden({ ...events, ...snapshotEvents(agent) }, overrides.events), ...chunkEvents(agent) },
    features: overridden({ ...features, ...snapshotFeatures(agent) }, overrides.features),
  };
}

function overridden(flags: Flags, overrides: Flags | undefined): Flags {
  const given = typeof overrides === 'object' && overrides !== null ? Object.entries(overrides) : [];
  const known = given.filter(([name, value]) => Object.hasOwn(flags, name) && typeof value === 'boolean');
  return { ...flags, ...Object.fromEntries(known) };
}

function snapshotsOff(agent: Pick<ServedAgent, 'config'> | undefined): boolean {
  return agent?.config?.emitMessagesSnapshot === false || agent?.config?.messagesSnapshot === 'off';
}

function snapshotEvents(agent: Pick<ServedAgent, 'config'> | undefined): Flags {
  return snapshotsOff(agent) ? { MESSAGES_SNAPSHOT: false } : {};
}

function snapshotFeatures(agent: Pick<ServedAgent, 'config'> | undefined): Flags {
  return snapshotsOff(agent) ? { messagesSnapshot: false } : {};
}

function chunkEvents(agent: Pick<ServedAgent, 'config'> | undefined): Flags {
  if (agent?.config?.emitChunkEvents !== true) return {};
  const parts = FAMILIES.flatMap((family) => ['START', 'CONTENT', 'ARGS', 'END'].map((part) => `${family}_${part}`));
  const triples = parts.filter((name) => Object.hasOwn(DEFAULT_CAPABILITIES.events, name));
  const chunks = FAMILIES.map((family) => `${family}_CHUNK`);
  return Object.fromEntries([...triples.map((name) => [name, false]), ...chunks.map((name) => [name, true])]);
}
