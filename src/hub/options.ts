import type { SessionManagerConfig } from '@strands-agents/sdk';
import type { StrandsAgentConfig } from '../ag-ui/config.ts';
import type { AuditLog } from '../core/audit-log.ts';
import type { OptionKinds } from '../core/check-options.ts';
import { LANGUAGES, type Language } from '../core/i18n.ts';
import type { Logger } from '../core/platform.ts';
import type { ValueStore } from '../core/value-store.ts';
import type { TauAgent } from '../strands/tau-agent.ts';
import type { HubAuthenticate } from './auth/identify.ts';
import type { HubPrincipal } from './auth/principals.ts';

/** Where the SDK keeps the sessions of conversations. */
export type SessionStorage = NonNullable<SessionManagerConfig['storage']>;

/** One file of a page. */
export interface PageFile {
  readonly body: Uint8Array;
  /** For `Content-Type`. */
  readonly type: string;
  /** Whether its name holds a hash of its content, so that it may be cached for ever. */
  readonly immutable: boolean;
}

/** What a hub is made of. */
export interface HubOptions {
  /**
   * The agent that people talk to; each of their threads gets one of its own. Its approver must leave questions open
   * (`ParkingApprover`, or an inbox that parks), since nobody waits inside the hub.
   */
  readonly agent: TauAgent;
  /** Name of the agent; default `tau`. */
  readonly name?: string;
  /** Who may use the hub. */
  readonly principals: readonly HubPrincipal[];
  /** The embedder's own authentication, asked before tokens and cookies. */
  readonly auth?: HubAuthenticate;
  /** Default: the memory of this process. */
  readonly audit?: AuditLog;
  /** Whether decisions are added to the audit log; `false` for a store that chains its own steps. Default `true`. */
  readonly auditsDecisions?: boolean;
  /** Tokens, login links, page sessions, list of threads. Default: the memory of this process. */
  readonly values?: ValueStore;
  /** Sessions of conversations. Default: the memory of this process. */
  readonly sessions?: SessionStorage;
  /** Further settings of the AG-UI bridge. */
  readonly bridge?: Omit<
    StrandsAgentConfig,
    'sessionManagerProvider' | 'logger' | 'replayHistoryIntoStrands' | 'historyOfThread'
  >;
  /** Names, beside the loopback ones, under which the hub may be spoken to. */
  readonly hosts?: readonly string[];
  /** Where people open the page, when that is not where the hub listens: behind a reverse proxy. */
  readonly publicUrl?: string;
  /** Files by the path they are served at, as `pageFiles` of `strands-tau/channels/web` reads them. Default: no page. */
  readonly page?: ReadonlyMap<string, PageFile>;
  /** Language of the page; default that of the agent's gate. */
  readonly language?: Language;
  /** Whether the tools belong to a made-up world. */
  readonly demo?: boolean;
  readonly logger?: Logger;
  /** Argument paths whose values the audit log must not hold. */
  readonly redact?: readonly string[];
  /** The largest AG-UI request, in bytes; default 8 MiB. */
  readonly bodyLimit?: number;
  /** Seconds of silence after which a comment keeps a stream open; default 15. */
  readonly keepAliveSeconds?: number;
  /** How long running bodies may go on at a stop, in seconds; default 10. */
  readonly shutdownSeconds?: number;
  /** How often questions are timed out, in seconds; default 1. */
  readonly expirySeconds?: number;
  /**
   * Whether nothing else works on the store: then what was used up before the start, and has not ended, is `unknown` from
   * the start on, and can be ordered again; and a question whose turn was not parked yet when its process ended is void, since
   * no answer could start anything. Default `false`: the first is found out when its run goes on, the second not at all.
   */
  readonly isAlone?: boolean;
  /** Says, by resolving, that the store answers. Default: a read of the approval store. */
  readonly ready?: () => Promise<unknown>;
  /** Closes the store; called last. */
  readonly close?: () => void | Promise<void>;
}

/** What each of them must be. */
export const hubOptionKinds: OptionKinds<HubOptions> = {
  agent: 'object',
  name: 'string',
  principals: 'list',
  auth: 'function',
  audit: 'object',
  auditsDecisions: 'boolean',
  values: 'object',
  sessions: 'object',
  bridge: 'record',
  hosts: 'list',
  publicUrl: 'string',
  page: 'map',
  language: LANGUAGES,
  demo: 'boolean',
  logger: 'object',
  redact: 'list',
  bodyLimit: 'positive number',
  keepAliveSeconds: 'positive number up to 2147483',
  shutdownSeconds: 'number from 0 on',
  expirySeconds: 'positive number',
  isAlone: 'boolean',
  ready: 'function',
  close: 'function',
};
