import { type ApprovalRequest, Inbox, type JSONValue, type Policy, type Principal, ServedChannel } from 'strands-tau';
import { pageFiles } from 'strands-tau/channels/web';
import { createHub, type Hub, loginUrl } from 'strands-tau/hub';
import { SqliteStore } from 'strands-tau/stores/sqlite';
import { buildAgent, type TauAgent } from 'strands-tau/strands';
import { threadKey } from '../../src/ag-ui/thread/thread-key.ts';
import { quietLogger } from '../support/strands.ts';
import { houseTools } from './house.ts';
import { HouseModel } from './house-model.ts';

const ADA: Principal = { id: 'ada', kind: 'person' };
export const GRACE: Principal = { id: 'grace', kind: 'person' };

/** Ada decides what she asked for, but the alarm; Grace decides everything. */
const policy: Policy = {
  version: 'house-1',
  sees: () => true,
  mayDecide: ({ id }, { tool, origin }: ApprovalRequest) =>
    id === GRACE.id || (id === ADA.id && origin.principal?.id === ADA.id && tool !== 'disarm_alarm'),
};

/** A hub with a house behind it, for a browser. Ada is signed in; whatever is asked is asked for her unless it says so. */
export interface PageHub {
  /** Without a slash at the end. */
  readonly url: string;
  /** What the bodies were given, as `tool {json}`. */
  readonly ran: readonly string[];
  readonly agent: TauAgent;
  /** A fresh one-time link that signs Ada in, or somebody else. */
  loginLink(who?: Principal): Promise<string>;
  /** Puts a call of the model to the gate, which asks; resolves to the question's id. */
  ask(tool: string, args: JSONValue, by?: Principal, threadId?: string): Promise<string>;
  /** Grace answers on another channel. */
  decide(id: string, decision: 'approved' | 'rejected', channel: string): Promise<void>;
  /** Grace answers all that is open. */
  decideAll(decision: 'approved' | 'rejected'): Promise<void>;
  /** The question was approved and began to run, and then the process died. */
  lose(id: string): Promise<void>;
  /** The hub stops … */
  stop(): Promise<void>;
  /** … and another one starts on its store and its port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the hub that the page is tested against: all of it is real but the model. */
export async function startHub(): Promise<PageHub> {
  const ran: string[] = [];
  const store = SqliteStore.open(':memory:');
  const { logger } = quietLogger();
  const served = new ServedChannel({
    name: 'hub',
    timeoutSeconds: 900,
    reaches: ({ mayDecide }) => [ADA, GRACE].some(mayDecide),
  });
  const agent = await buildAgent({
    model: new HouseModel(),
    tools: [...houseTools(ran)],
    approver: new Inbox({ channels: [served], waits: false }),
    store,
    policy,
    logger,
    retryStrategy: null,
  });
  const page = await pageFiles();
  const make = (): Hub =>
    createHub({
      agent,
      page,
      principals: [ADA, GRACE],
      audit: store.audit,
      auditsDecisions: false,
      values: store.values,
      sessions: { snapshot: store.sessions },
      logger,
      demo: true,
    });
  return HouseHub.start({ agent, store, ran, make });
}

interface Parts {
  readonly agent: TauAgent;
  readonly store: SqliteStore;
  readonly ran: readonly string[];
  readonly make: () => Hub;
}

class HouseHub implements PageHub {
  readonly url: string;
  readonly #parts: Parts;
  #hub: Hub;

  private constructor(parts: Parts, hub: Hub, url: string) {
    this.#parts = parts;
    this.#hub = hub;
    this.url = url;
  }

  static async start(parts: Parts): Promise<HouseHub> {
    const hub = parts.make();
    const { url } = await hub.start({ port: 0 });
    return new HouseHub(parts, hub, url);
  }

  get ran(): readonly string[] {
    return this.#parts.ran;
  }

  get agent(): TauAgent {
    return this.#parts.agent;
  }

  async loginLink({ id }: Principal = ADA): Promise<string> {
    const { code } = await this.#hub.loginLinks.create(id);
    return loginUrl(this.url, code);
  }

  async ask(tool: string, args: JSONValue, by = ADA, threadId = 'a conversation elsewhere'): Promise<string> {
    const conversation = threadKey(threadId, by);
    const origin = { kind: 'model', conversation, run: 'run-1', principal: by } as const;
    const verdict = await this.agent.gate.check({ tool, arguments: args, origin });
    if (verdict.allowed || verdict.approval !== 'pending') throw new Error(`not asked: ${JSON.stringify(verdict)}`);
    return verdict.approvalId;
  }

  async decide(id: string, decision: 'approved' | 'rejected', channel: string): Promise<void> {
    await this.agent.gate.decide(id, { decision, by: GRACE, channel });
  }

  async decideAll(decision: 'approved' | 'rejected'): Promise<void> {
    const { records } = await this.agent.gate.store.list({ status: 'pending' });
    for (const { id } of records) await this.decide(id, decision, 'telegram');
  }

  async lose(id: string): Promise<void> {
    const { store } = this.#parts;
    await this.decide(id, 'approved', 'telegram');
    await store.consume(id, 'lost', Date.now());
    await store.lose(id, Date.now());
  }

  stop(): Promise<void> {
    return this.#hub.stop();
  }

  async restart(): Promise<void> {
    this.#hub = this.#parts.make();
    await this.#hub.start({ port: Number(new URL(this.url).port) });
  }

  async close(): Promise<void> {
    await this.#hub.stop();
    await this.#parts.store.end();
  }
}
