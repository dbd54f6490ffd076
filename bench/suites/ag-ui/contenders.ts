import type { RequestListener } from 'node:http';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { getRequestListener } from '@hono/node-server';
import * as sdk from '@strands-agents/sdk';
import { z } from 'zod';
import { createHandler, createStrandsApp } from '../../../src/ag-ui/http/index.ts';
import { StrandsAgent, type StrandsAgentConfig, type StrandsAgentOptions } from '../../../src/ag-ui/index.ts';
import { buildAgent, tauTool } from '../../../src/strands/index.ts';
import { fixedModel, type Reply, type Sdk } from './fixed-model.ts';
import type { Peer } from './peer.ts';
import { slowSession } from './session.ts';

/** What a bridge is made for. */
export interface Setting {
  readonly reply: Reply;
  /** Only what the published bridge can do too is given to it. */
  readonly config?: Pick<StrandsAgentConfig, 'messagesSnapshot' | 'maxThreads'>;
  /** How long each new thread waits for its session; without it there are no sessions. */
  readonly sessionMs?: number;
}

/** A bridge that is ready. */
export interface Served {
  run(input: RunAgentInput): AsyncIterable<BaseEvent>;
  /** As a server of its own kind; `undefined` when it has none. */
  listener(kind: ServerKind): Promise<RequestListener | undefined>;
}

/** One way to serve an agent to AG-UI clients. */
export interface Contender {
  readonly name: string;
  serve(setting: Setting): Promise<Served>;
}

export type ServerKind = 'handler' | 'express';

/** Names of the contenders, and of what they are compared with. */
export const BARE = 'bare SDK';
export const LEAST = 'least bridge';
export const GUARDED = 'tau, guarded';
export const PLAIN = 'tau, plain';
export const PEER = 'published';

/** The name of the only tool. */
export const TOOL = 'write_note';

const silent = { debug: () => undefined, warn: () => undefined, error: console.error };

/** Tau with a guarded agent, and with one of the SDK's own. */
export const tauContenders: readonly Contender[] = [
  {
    name: GUARDED,
    serve: async (setting) => {
      const options = { model: fixedModel(sdk, setting.reply), tools: [tauTool({ ...definition, tier: 0 })] };
      return tauServed(await buildAgent({ ...options, logger: { ...silent, info: () => undefined } }), setting);
    },
  },
  { name: PLAIN, serve: async (setting) => tauServed(bareAgent(sdk, setting), setting) },
];

/** The published bridge. */
export function peerContender({ sdk: own, StrandsAgent: PeerAgent, createStrandsApp: createApp }: Peer): Contender {
  return {
    name: PEER,
    serve: async (setting) => {
      const { sessionMs } = setting;
      const sessions = sessionMs === undefined ? {} : { sessionManagerProvider: () => slowSession(own, sessionMs) };
      const config = { logger: silent, ...sessions };
      const bridge = new PeerAgent({ agent: bareAgent(own, setting), name: 'assistant', config });
      return {
        run: (input) => bridge.run(input),
        listener: async (kind) => (kind === 'express' ? createApp(bridge) : undefined),
      };
    },
  };
}

/** The SDK's own agent. */
export function bareAgent(own: Sdk, { reply }: Setting, options: sdk.AgentConfig = {}): sdk.Agent {
  return new own.Agent({ model: fixedModel(own, reply), tools: [own.tool(definition)], printer: false, ...options });
}

const definition: {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject<{ text: z.ZodString }>;
  readonly callback: (input: { text: string }) => string;
} = {
  name: TOOL,
  description: 'Writes a note.',
  inputSchema: z.object({ text: z.string() }),
  callback: ({ text }) => `${text.length} characters`,
};

function tauServed(agent: StrandsAgentOptions['agent'], { config, sessionMs }: Setting): Served {
  const sessions = sessionMs === undefined ? {} : { sessionManagerProvider: () => slowSession(sdk, sessionMs) };
  const bridge = new StrandsAgent({ agent, name: 'assistant', config: { logger: silent, ...config, ...sessions } });
  return {
    run: (input) => bridge.run(input),
    listener: async (kind) =>
      kind === 'express' ? createStrandsApp(bridge) : getRequestListener(createHandler(bridge)),
  };
}
