import type { ApprovalRecord } from '../../../src/core/approval-record.ts';
import { type Principal, principalOf } from '../../../src/core/call.ts';
import type { CatalogEntry } from '../../../src/core/catalog.ts';
import { ToolCatalog } from '../../../src/core/catalog.ts';
import { digestJson } from '../../../src/core/digest.ts';
import { TierGate } from '../../../src/core/gate.ts';
import type { JSONValue } from '../../../src/core/json.ts';
import { MemoryApprovalStore } from '../../../src/core/memory-store.ts';
import { ParkingApprover } from '../../../src/core/parking-approver.ts';

/** Who is signed in. */
export const ADA: Principal = { id: 'ada', kind: 'person' };

const object = { type: 'object' } as const;

const tools: readonly CatalogEntry[] = [
  { name: 'read_thermostat', description: 'Reads the temperature.', tier: 0, effect: 'Reads.', inputSchema: object },
  { name: 'add_note', description: 'Adds one note.', tier: 1, effect: 'Adds one note.', inputSchema: object },
  {
    name: 'unlock_door',
    description: 'Unlocks a door of the house.',
    tier: 2,
    effect: 'Unlocks a door of the house. Anybody can come in.',
    inputSchema: object,
    parse: (input) => {
      if (!JSON.stringify(input).includes('"door"')) throw new Error('door is missing');
      return input;
    },
  },
  {
    name: 'run_shell',
    description: 'Runs one command in the made-up shell.',
    tier: 2,
    effect: 'Runs this command in the made-up shell of the demo world. No real file is touched.',
    inputSchema: object,
  },
  {
    name: 'set_heating',
    description: 'Sets the heating of the house.',
    tier: 2,
    effect: (args) => `Sets the heating: ${JSON.stringify(args)}`,
    inputSchema: object,
  },
];

/** One row of the stub's audit chain. */
export interface StubRow {
  readonly seq: number;
  readonly at: number;
  readonly event: { readonly [key: string]: JSONValue };
  readonly prev: string;
  readonly hash: string;
}

/** The real gate over the real memory store, with what happened in it as a chain of rows. */
export class StubWorld {
  readonly store: MemoryApprovalStore = new MemoryApprovalStore();
  readonly gate: TierGate;
  readonly rows: StubRow[] = [];
  readonly tools: readonly CatalogEntry[] = tools;
  readonly #retries = new Map<string, string>();
  readonly #onRow: (row: StubRow) => void;

  constructor(onRow: (row: StubRow) => void) {
    this.#onRow = onRow;
    const catalog = new ToolCatalog();
    catalog.extend(tools);
    this.gate = new TierGate({
      catalog,
      store: this.store,
      approver: new ParkingApprover({ timeoutSeconds: 900 }),
      policy: {
        version: 'stub-1',
        sees: () => true,
        mayDecide: (by, request) => by.id !== ADA.id || principalOf(request.origin).id !== 'mallory',
      },
      sinks: [(event) => this.#append(JSON.parse(JSON.stringify(event)))],
    });
  }

  /** Asks; resolves to the id of the question. */
  async ask(tool: string, args: JSONValue, conversation: string, by: string): Promise<string> {
    const principal: Principal = { id: by, kind: 'person' };
    const origin = { kind: 'model', conversation, run: 'run-1', principal } as const;
    const verdict = await this.gate.check({ tool, arguments: args, origin });
    if (verdict.allowed || verdict.approval !== 'pending') throw new Error(`not asked: ${JSON.stringify(verdict)}`);
    await this.store.deliver(verdict.approvalId, { channel: 'web', at: Date.now(), delivered: true });
    return verdict.approvalId;
  }

  /** A question like that of an earlier approval, of which nobody knows whether it took effect. */
  async retry({ id, request }: ApprovalRecord): Promise<string> {
    const { tool, arguments: args, origin } = request;
    const next = await this.ask(tool, args, origin.conversation ?? '', principalOf(origin).id);
    this.#retries.set(next, id);
    return next;
  }

  /** A record as the API tells it. */
  view(record: ApprovalRecord): object {
    const { request, decision, outcome } = record;
    const { id, tool, tier, effect, digest, origin } = request;
    return {
      id,
      status: record.status,
      tool,
      tier,
      effect,
      arguments: request.arguments,
      digest,
      requester: principalOf(origin),
      threadId: origin.conversation,
      runId: origin.run,
      createdAt: record.createdAt,
      expiresAt: record.expiresAt,
      updatedAt: record.updatedAt,
      deliveries: record.deliveries,
      decision,
      outcome,
      editOf: record.editOf,
      retryOf: this.#retries.get(id),
      closedBecause: record.closedBecause,
      mayDecide: principalOf(origin).id !== 'mallory',
    };
  }

  #append(event: StubRow['event']): void {
    const prev = this.rows.at(-1)?.hash ?? '0'.repeat(64);
    const body = { seq: this.rows.length + 1, at: Date.now(), event, prev };
    const row = { ...body, hash: digestJson(body) };
    this.rows.push(row);
    this.#onRow(row);
  }
}
