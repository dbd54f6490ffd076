import { checkOptions } from '../core/check-options.ts';
import { ConfigError, errorText } from '../core/errors.ts';
import { consoleLogger } from '../core/platform.ts';
import { MemoryAuditLog } from '../stores/memory/memory-audit-log.ts';
import { MemoryValueStore } from '../stores/memory/memory-value-store.ts';
import { createApp } from './app.ts';
import { AuditWriter } from './audit-sink.ts';
import { FailedAttempts } from './auth/attempts.ts';
import { endSessions } from './auth/end-sessions.ts';
import { LoginLinks } from './auth/login-links.ts';
import { OwnAddresses } from './auth/origin.ts';
import { Principals } from './auth/principals.ts';
import { newSecret } from './auth/secrets.ts';
import { cookieForm, Sessions } from './auth/sessions.ts';
import { Tokens } from './auth/tokens.ts';
import { EventFeeds } from './events.ts';
import { keepExpiring } from './expiry.ts';
import { type HubOptions, hubOptionKinds } from './options.ts';
import { closeOrphans } from './orphans.ts';
import type { HubParts } from './parts.ts';
import { Resumer } from './resume.ts';
import { ActiveRuns } from './runs.ts';
import { withSecurityHeaders } from './security-headers.ts';
import { servedBridge } from './served-bridge.ts';
import { type Listening, listen } from './server.ts';
import { drainRuns, finishAnswers } from './shutdown.ts';
import { ThreadIndex } from './threads.ts';

/** A hub: one agent, its approvals and its page, behind one origin. */
export interface Hub {
  /** Answers a request; mount it in any server that speaks the web's own `Request` and `Response`. */
  fetch(request: Request): Promise<Response>;
  /**
   * Lets parked runs go on, those from before a restart too, and times questions out, from now on. For a hub that is
   * mounted in another server; `start` calls it.
   */
  work(): Promise<void>;
  /**
   * Works and listens.
   *
   * @param options.host - Default `127.0.0.1`.
   * @param options.port - Default 4173; 0 takes a free one.
   * @throws TauError with code `port_in_use` or `listen`, and with that of the store (`store_locked` and the like) when it fails.
   */
  start(options?: { readonly host?: string; readonly port?: number }): Promise<{ readonly url: string }>;
  /** Starts nothing new, lets running bodies finish, ends streams, closes the store. Questions stay open. */
  stop(): Promise<void>;
  readonly tokens: Tokens;
  /**
   * The key by which `GET /proof?nonce=` answers, new for each hub. Whoever knows it can tell this hub from anybody else
   * who listens at its address; keep it from others.
   */
  readonly proofKey: string;
  readonly loginLinks: LoginLinks;
  /** Ends all page sessions of a principal, and the links that would begin new ones; returns how many sessions there were. */
  signOut(principal: string): Promise<number>;
}

/** The port of a hub that is told none. */
export const DEFAULT_PORT: number = 4173;

/**
 * Makes a hub.
 *
 * @throws ConfigError on an option that does not exist or is none that fits, and when options contradict each other.
 */
export function createHub(options: HubOptions): Hub {
  const { parts, resumer } = assemble(options);
  const app = createApp(parts, resumer);
  const answer = async (request: Request, address: string): Promise<Response> =>
    withSecurityHeaders(await worker.answering(app.fetch(request, { address })));
  const worker = new Worker(parts, resumer, options);
  return {
    fetch: (request) => answer(request, 'unknown'),
    work: () => worker.work(),
    async start({ host = '127.0.0.1', port = DEFAULT_PORT } = {}) {
      worker.server = await listen(answer, host, port);
      await worker.work();
      return { url: worker.server.url };
    },
    stop: () => worker.stop(),
    tokens: parts.credentials.tokens,
    loginLinks: parts.loginLinks,
    signOut: (principal) => endSessions({ ...parts.credentials, loginLinks: parts.loginLinks }, principal),
    proofKey: parts.proofKey,
  };
}

function assemble(options: HubOptions): { readonly parts: HubParts; readonly resumer: Resumer } {
  checkOptions('createHub', options, hubOptionKinds);
  const { gate } = options.agent;
  const { clock } = gate;
  const log = options.logger ?? consoleLogger;
  const values = options.values ?? new MemoryValueStore();
  const principals = new Principals(options.principals, options.auth === undefined);
  if (principals.all().length === 0 && options.auth === undefined) {
    throw new ConfigError('A hub needs at least one principal, or an auth hook');
  }
  const { hosts = [], publicUrl } = options;
  const addresses = new OwnAddresses({ hosts, ...(publicUrl === undefined ? {} : { publicUrl }) });
  const bridge = servedBridge(options, log);
  const keepAliveSeconds = options.keepAliveSeconds ?? 15;
  const feeds = new EventFeeds(keepAliveSeconds);
  const runs = new ActiveRuns(
    (key) => feeds.threadChanged(key),
    (key) => gate.running.some(({ origin }) => origin?.conversation === key),
  );
  const threads = new ThreadIndex(values, clock);
  const parts: HubParts = {
    ...{ gate, bridge, values, clock, log, principals, addresses, runs, threads, feeds, keepAliveSeconds },
    agent: options.agent,
    audit: options.audit ?? new MemoryAuditLog(),
    credentials: {
      tokens: new Tokens(values, principals, clock),
      sessions: new Sessions(values, principals, clock),
      cookieOf: (request) => cookieForm(addresses.isHttps, addresses.portOf(request)),
      auth: options.auth,
    },
    loginLinks: new LoginLinks(values, principals, clock),
    attempts: new FailedAttempts(clock),
    proofKey: newSecret(''),
    language: options.language ?? gate.language,
    demo: options.demo ?? false,
    bodyLimit: options.bodyLimit ?? 8 * 1024 * 1024,
    page: options.page,
    ready: options.ready ?? (() => gate.store.list({ limit: 1 })),
  };
  const hasOwnAuth = options.auth !== undefined;
  return { parts, resumer: new Resumer({ gate, bridge, principals, hasOwnAuth, runs, threads, clock, log }) };
}

/** What a hub does beside answering requests. */
class Worker {
  server: Listening | undefined;
  readonly #parts: HubParts;
  readonly #resumer: Resumer;
  readonly #options: HubOptions;
  #undo: readonly (() => void)[] = [];
  #stopped: Promise<void> | undefined;
  #writer: AuditWriter | undefined;
  /** Answers that are being made. */
  readonly #answers = new Set<Promise<unknown>>();

  constructor(parts: HubParts, resumer: Resumer, options: HubOptions) {
    this.#parts = parts;
    this.#resumer = resumer;
    this.#options = options;
  }

  async work(): Promise<void> {
    if (this.#undo.length > 0 || this.#stopped !== undefined) return;
    const { gate, audit, feeds, log } = this.#parts;
    const { auditsDecisions: decisions = true, redact = [], expirySeconds = 1, isAlone = false } = this.#options;
    this.#writer = new AuditWriter(audit, { decisions, redact, clock: gate.clock, log });
    this.#undo = [
      gate.store.watch((id) => this.#approvalChanged(id)),
      audit.watch(() => feeds.auditGrew()),
      gate.subscribe(this.#writer.sink),
      keepExpiring(gate, expirySeconds, log),
    ];
    if (isAlone) {
      await gate.recover();
      await closeOrphans(this.#parts);
    }
    await gate.expire();
    await this.#resumer.wakeAll();
  }

  /** Notes an answer until it is made. */
  async answering<T>(answer: T | Promise<T>): Promise<T> {
    const made = Promise.resolve(answer);
    this.#answers.add(made);
    try {
      return await made;
    } finally {
      this.#answers.delete(made);
    }
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  #approvalChanged(id: string): void {
    const { feeds, log } = this.#parts;
    feeds.approvalChanged(id);
    this.#resumer
      .approvalChanged(id)
      .catch((error: unknown) => log.error('A decision could not be followed', { error: errorText(error) }));
  }

  async #stop(): Promise<void> {
    const { feeds, clock } = this.#parts;
    const woken = this.#resumer.stop();
    await drainRuns(this.#parts, this.#options.shutdownSeconds ?? 10);
    await woken;
    feeds.close();
    await this.server?.close();
    // What a request that was under way has decided is told, too: nobody may be deaf before the last one is answered.
    await finishAnswers(this.#answers, clock);
    for (const undo of this.#undo) undo();
    await this.#writer?.flush();
    await this.#options.close?.();
  }
}
