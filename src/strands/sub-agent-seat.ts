/**
 * An agent that is used as a tool is one object for all who use it: every thread, every person, every agent that has it.
 * It has one seat; the others wait in the order they came.
 */
import type { Agent, LocalAgent } from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { KeyedQueue } from '../core/serial.ts';

/** Who wants an agent, and what for. */
export interface SeatRequest {
  readonly agent: Agent;
  /** The agent whose call it is. */
  readonly caller: LocalAgent;
  readonly gate: TierGate;
  /** Leaves the line. */
  readonly signal: AbortSignal;
  /** Whether it waits for its turn. A direct call does not: its caller may hold what the other one waits for. */
  readonly waits: boolean;
}

/** One use of an agent as a tool. */
interface Use {
  /** The use that it is a part of: its caller is itself used as a tool. */
  readonly within: Use | undefined;
}

interface Seat {
  readonly line: KeyedQueue;
  taken: Use | undefined;
}

interface Wish {
  readonly seat: Seat;
  readonly within: Use | undefined;
}

const seats = new WeakMap<LocalAgent, Seat>();
const wishes = new Set<Wish>();

/**
 * Takes the seat of an agent.
 *
 * @returns The function that gives it back; call it exactly once.
 * @throws TauError when it never will be free (the agent would wait for itself), is not now and the call does not wait,
 *   the call was cancelled meanwhile, or somebody uses the agent without the gate.
 */
export async function takeSeat(request: SeatRequest): Promise<() => void> {
  const { agent, caller } = request;
  const seat = seats.get(agent) ?? { line: new KeyedQueue(), taken: undefined };
  seats.set(agent, seat);
  const within = seats.get(caller)?.taken;
  const passOn = seat.line.tryAcquire('') ?? (await waitFor(seat, within, request));
  if (agent.isInvoking) {
    passOn();
    throw problem(
      agent,
      'is in use outside of its tool; nothing was asked of it. Do not invoke an agent that is a tool',
    );
  }
  seat.taken = { within };
  return () => {
    seat.taken = undefined;
    passOn();
  };
}

async function waitFor(seat: Seat, within: Use | undefined, request: SeatRequest): Promise<() => void> {
  const { agent, gate, signal, waits } = request;
  if (dependsOn(seat, within)) throw problem(agent, 'is at work on this very call, and cannot be used inside of it');
  if (!waits) throw problem(agent, 'is already processing a request');
  const wish: Wish = { seat, within };
  const stop = gate.clock.after(LONG_WAIT_MS, () => gate.warn(`Agent '${agent.name}', used as a tool: ${LONG_WAIT}`));
  wishes.add(wish);
  try {
    const passOn = await seat.line.acquire('', signal);
    if (passOn === undefined) throw problem(agent, 'was cancelled before it began');
    return passOn;
  } finally {
    stop();
    wishes.delete(wish);
  }
}

/** Whether a seat gets free only after a use has ended: each would wait for the other, for ever. */
function dependsOn(seat: Seat, use: Use | undefined, seen: Set<Seat> = new Set()): boolean {
  const { taken } = seat;
  if (taken === undefined || seen.has(seat)) return false;
  seen.add(seat);
  if (isPartOf(use, taken)) return true;
  return [...wishes].some((wish) => isPartOf(wish.within, taken) && dependsOn(wish.seat, use, seen));
}

function isPartOf(use: Use | undefined, whole: Use): boolean {
  for (let at = use; at !== undefined; at = at.within) if (at === whole) return true;
  return false;
}

function problem({ name }: Agent, what: string): TauError {
  return new TauError('sub_agent', `Agent '${name}' ${what}`);
}

const LONG_WAIT_MS = 30_000;
const LONG_WAIT =
  'a call has waited 30 seconds for another one to end. One agent does one thing at a time, for all threads together';
