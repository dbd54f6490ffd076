import type { ApprovalRecord } from './approval-record.ts';
import type { ApprovalStore } from './approval-store.ts';
import { freezeOrigin, type ToolCall } from './call.ts';
import type { CatalogEntry, ToolCatalog } from './catalog.ts';
import { NOT_USED_IN_TIME, POLICY_CHANGED } from './claim.ts';
import { definitionDigest } from './digest.ts';
import type { Exemptions } from './exemptions.ts';
import { isSealed, jsonEquals, sealJson } from './json.ts';
import type { Clock, Random } from './platform.ts';
import type { Policy } from './policy.ts';
import { makeTicket, type Ticket } from './ticket.ts';

/** What a ticket stands for; kept here, where nobody else can reach it. */
interface TicketState {
  readonly entry: CatalogEntry;
  /** Our own id of this call, by which the store knows who consumed an approval; empty where there is none. */
  readonly nonce: string;
  readonly approval: 'not_required' | 'approved' | 'exempt';
  /** The record in the store, for calls that were asked about or are journaled. */
  readonly approvalId: string | undefined;
  /** When an unused yes lapses, in milliseconds since the epoch. */
  readonly usableUntil: number | undefined;
  /** Version of the policy that permitted it. */
  readonly policyVersion: string;
  used: boolean;
}

interface Withdrawal {
  readonly status: 'void' | 'expired';
  readonly because: string;
}

/**
 * How redeeming ended.
 *
 * | status | meaning |
 * |---|---|
 * | `redeemed` | the body may start, once |
 * | `mismatch` | not this gate's ticket, or not the call that it was issued for |
 * | `used` | redeemed before, here or in another process |
 * | `lapsed` | what permitted it is over: its time, the policy, the exemption; check again |
 */
export type Redemption =
  | {
      readonly status: 'redeemed';
      readonly approvalId?: string;
      readonly nonce: string;
      readonly approval: TicketState['approval'];
    }
  | { readonly status: 'mismatch' | 'used' | 'lapsed' };

/** Issues and redeems the tickets of one gate. */
export class TicketBox {
  readonly #states = new WeakMap<Ticket, TicketState>();
  readonly #catalog: ToolCatalog;
  readonly #store: ApprovalStore;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #useWithinMs: number;
  readonly #policy: Policy;
  readonly #exemptions: Exemptions;

  constructor(parts: {
    policy: Policy;
    exemptions: Exemptions;
    catalog: ToolCatalog;
    store: ApprovalStore;
    clock: Clock;
    random: Random;
    useWithinSeconds: number;
  }) {
    this.#catalog = parts.catalog;
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#random = parts.random;
    this.#useWithinMs = parts.useWithinSeconds * 1000;
    this.#policy = parts.policy;
    this.#exemptions = parts.exemptions;
  }

  /** Until when a decided yes may be used, in milliseconds since the epoch; a journaled call has no such limit. */
  usableUntil(record: ApprovalRecord): number | undefined {
    return record.decision === undefined ? undefined : record.decision.at + this.#useWithinMs;
  }

  /** The record behind a ticket, for calls that were asked about or are journaled. */
  approvalOf(ticket: Ticket): string | undefined {
    return this.#states.get(ticket)?.approvalId;
  }

  /** Issues a ticket for a call whose arguments are sealed. */
  issue(
    entry: CatalogEntry,
    call: ToolCall,
    approval: TicketState['approval'],
    stored: { readonly approvalId?: string; readonly usableUntil?: number } = {},
  ): Ticket {
    const ticket = makeTicket(call);
    const { approvalId, usableUntil } = stored;
    this.#states.set(ticket, {
      entry,
      nonce: approvalId === undefined ? '' : this.#random(),
      approval,
      approvalId,
      usableUntil,
      policyVersion: this.#policy.version,
      used: false,
    });
    return ticket;
  }

  /**
   * Uses up a ticket. The mark is set before anything is awaited, so two callers that race cannot both pass; where a
   * record stands behind the ticket, there is a promise, and the record is consumed durably before it resolves. Throws
   * or rejects when the store is broken: the ticket is spent and the body must not start.
   */
  redeem(ticket: Ticket, call: ToolCall): Redemption | Promise<Redemption> {
    const state = this.#states.get(ticket);
    if (state === undefined || !this.#fits(state, ticket.call, call)) return { status: 'mismatch' };
    if (state.used) return { status: 'used' };
    state.used = true;
    const { approvalId, nonce, approval } = state;
    const withdrawn = this.#withdrawn(state, ticket.call);
    if (approvalId !== undefined) return this.#redeemStored(state, approvalId, withdrawn);
    return withdrawn === undefined ? { status: 'redeemed', nonce, approval } : { status: 'lapsed' };
  }

  async #redeemStored(
    { nonce, approval }: TicketState,
    approvalId: string,
    withdrawn: Withdrawal | undefined,
  ): Promise<Redemption> {
    const now = this.#clock.now();
    if (withdrawn !== undefined) {
      await this.#store.close(approvalId, withdrawn.status, now, withdrawn.because);
      return { status: 'lapsed' };
    }
    const consumed = await this.#store.consume(approvalId, nonce, now);
    const mine = consumed.ok === true && consumed.record.id === approvalId && consumed.record.token === nonce;
    return mine ? { status: 'redeemed', approvalId, nonce, approval } : { status: 'used' };
  }

  /** What has ended a permission between the verdict and now: time, other rules, an exemption that was taken back. */
  #withdrawn(state: TicketState, call: ToolCall): Withdrawal | undefined {
    if (state.policyVersion !== this.#policy.version) return { status: 'void', because: POLICY_CHANGED };
    if (state.usableUntil !== undefined && this.#clock.now() > state.usableUntil) {
      return { status: 'expired', because: NOT_USED_IN_TIME };
    }
    if (state.approval !== 'exempt') return undefined;
    const exempt = this.#exemptions.exempt(call.tool, call.arguments, freezeOrigin(call.origin));
    return exempt ? undefined : { status: 'void', because: 'the call is no longer exempt' };
  }

  /** Spends a ticket without running anything, and closes the approval behind it. */
  async cancel(ticket: Ticket, because: string): Promise<void> {
    const state = this.#states.get(ticket);
    if (state === undefined || state.used) return;
    state.used = true;
    if (state.approvalId !== undefined)
      await this.#store.close(state.approvalId, 'cancelled', this.#clock.now(), because);
  }

  #fits(state: TicketState, issued: ToolCall, call: ToolCall): boolean {
    if (call !== issued && !sameCall(issued, call)) return false;
    const entry = this.#catalog.get(issued.tool);
    return entry === state.entry || (entry !== undefined && definitionDigest(entry) === definitionDigest(state.entry));
  }
}

function sameCall(issued: ToolCall, call: ToolCall): boolean {
  if (issued.tool !== call.tool || issued.toolUseId !== call.toolUseId) return false;
  if (issued.origin?.conversation !== freezeOrigin(call.origin).conversation) return false;
  try {
    const args = isSealed(call.arguments) ? call.arguments : sealJson(call.arguments);
    return jsonEquals(issued.arguments, args);
  } catch {
    return false;
  }
}
