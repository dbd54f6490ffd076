import type { BaseEvent, Interrupt, Message } from '@ag-ui/core';
import {
  type ApprovalStore,
  type Approver,
  type AuditLog,
  type JSONValue,
  type Logger,
  ParkingApprover,
  type Policy,
  type ValueStore,
} from 'strands-tau';
import { createHub, type Hub, type HubOptions, type HubPrincipal, type Scope } from 'strands-tau/hub';
import { MemoryApprovalStore, MemoryAuditLog, MemoryValueStore } from 'strands-tau/stores/memory';
import { buildAgent } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn, type TurnFunction } from 'strands-tau/testing';
import { afterEach, expect } from 'vitest';
import { memorySessions } from '../../../src/hub/memory-sessions.ts';
import { type House, house, quietLogger, until } from '../../support/strands.ts';

export const ADA: HubPrincipal = { id: 'ada', kind: 'person' };
export const BOB: HubPrincipal = { id: 'bob', kind: 'person' };
const BOT: HubPrincipal = { id: 'bot', kind: 'agent' };

/** What outlives a hub: hand it to the next one for a restart. */
export interface State {
  readonly store: ApprovalStore;
  readonly values: ValueStore;
  readonly audit: AuditLog;
  readonly sessions: NonNullable<HubOptions['sessions']>;
}

export function newState(store: ApprovalStore = new MemoryApprovalStore()): State {
  return {
    store,
    values: new MemoryValueStore(),
    audit: new MemoryAuditLog(),
    sessions: { snapshot: memorySessions() },
  };
}

export interface StartOptions {
  readonly house?: House;
  readonly state?: State;
  readonly policy?: Policy;
  readonly timeoutSeconds?: number;
  /** Must leave questions open; default `ParkingApprover`. */
  readonly approver?: Approver;
  readonly hub?: Partial<HubOptions>;
}

/** What a request gets. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Parsed JSON, as loosely typed as a client has it. */
// biome-ignore lint/suspicious/noExplicitAny: answers of a server are looked at field by field
export type Body = any;

export interface Send {
  readonly method?: string;
  readonly token?: string;
  readonly body?: JSONValue | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A hub on a free port of this machine, with a house behind it. */
export interface Running {
  readonly hub: Hub;
  readonly url: string;
  readonly house: House;
  readonly model: ScriptedModel;
  readonly state: State;
  readonly log: readonly string[];
  /** Secret of a token. */
  token(principal?: string, scopes?: readonly Scope[]): Promise<string>;
  send(path: string, options?: Send): Promise<Reply>;
  /** Runs one AG-UI request to its end. */
  run(token: string, over?: RunOver): Promise<readonly BaseEvent[]>;
  /** The first open question that this token sees. */
  question(token: string): Promise<Body>;
  /** What the bodies were given, as `tool {json}`. */
  started(): readonly string[];
}

export interface RunOver {
  readonly threadId?: string;
  readonly messages?: readonly Message[];
  readonly resume?: JSONValue;
}

const running = new Set<Hub>();

afterEach(async () => {
  await Promise.all([...running].map((hub) => hub.stop()));
  running.clear();
});

let runs = 0;

export async function startHub(
  turns: readonly (ScriptedTurn | TurnFunction)[],
  options: StartOptions = {},
): Promise<Running> {
  const { state = newState(), policy, timeoutSeconds } = options;
  const parking = new ParkingApprover(timeoutSeconds === undefined ? {} : { timeoutSeconds });
  const home = options.house ?? house();
  const model = new ScriptedModel(turns);
  const { log, logger } = fullLogger();
  const agent = await buildAgent({
    model,
    tools: home.tools,
    approver: options.approver ?? parking,
    store: state.store,
    logger,
    retryStrategy: null,
    ...(policy === undefined ? {} : { policy }),
  });
  const hub = createHub({
    agent,
    principals: [ADA, BOB, BOT],
    audit: state.audit,
    values: state.values,
    sessions: state.sessions,
    logger,
    expirySeconds: 0.05,
    ...options.hub,
  });
  running.add(hub);
  const { url } = await hub.start({ port: 0 });
  const send: Running['send'] = async (path, { method, token, body, headers = {} } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
  return {
    hub,
    url,
    house: home,
    model,
    state,
    log,
    send,
    token: async (principal = 'ada', scopes = ['run', 'decide']) =>
      (await hub.tokens.create({ principal, scopes })).secret,
    run: async (token, over = {}) => eventsOf((await send('/agent', { token, body: runInput(over) })).body),
    question: async (token) => (await send('/api/approvals?status=pending', { token })).body.approvals[0],
    started: () => home.ran.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`),
  };
}

/** One AG-UI request. */
export function runInput({ threadId = 't1', messages, resume }: RunOver = {}): { readonly [key: string]: JSONValue } {
  runs += 1;
  const said = messages ?? (resume === undefined ? [{ id: `u${runs}`, role: 'user', content: `turn ${runs}` }] : []);
  return JSON.parse(JSON.stringify({ threadId, runId: `r${runs}`, messages: said, tools: [], context: [], resume }));
}

/** The events of a stream. */
function eventsOf(text: unknown): readonly BaseEvent[] {
  return String(text)
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)));
}

/** What a run stopped for. */
export function interruptsOf(events: readonly BaseEvent[]): readonly Interrupt[] {
  const last: Body = events.at(-1);
  return last?.outcome?.interrupts ?? [];
}

export function typesOf(events: readonly BaseEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fullLogger(): { readonly log: string[]; readonly logger: Logger } {
  const { log } = quietLogger();
  const add =
    (level: string) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void =>
      void log.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return { log, logger: { debug: () => undefined, info: add('info'), warn: add('warn'), error: add('error') } };
}

/** A client that leaves once the body of its run is at work. */
export async function leaveMidBody(hub: Running, token: string, body: Body): Promise<void> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = { method: 'POST', signal: leaving.signal, headers, body: JSON.stringify(body) };
  const left = fetch(`${hub.url}/agent`, request).then((response) => response.text());
  await until(() => hub.started().length === 1);
  leaving.abort();
  await left.catch(() => undefined);
  // As long as a run may take to let go of its thread.
  await new Promise((resolve) => setTimeout(resolve, 600));
}

/** A page that is logged in; its cookie. */
export async function login(hub: Running, principal = 'ada'): Promise<string> {
  const { code } = await hub.hub.loginLinks.create(principal);
  const reply = await hub.send('/login', { body: { code }, headers: { origin: hub.url } });
  expect(reply.status).toBe(200);
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}
