import { verifyEvents } from '@ag-ui/client';
import type { BaseEvent, Interrupt, ResumeEntry } from '@ag-ui/core';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { TauAnswer } from '../../../src/ag-ui/index.ts';

/** Fails unless the protocol's own client would take these events in this order. */
async function verified(events: readonly BaseEvent[]): Promise<readonly BaseEvent[]> {
  return lastValueFrom(from(events).pipe(verifyEvents(false), toArray()));
}

/** Everything that a run sends, checked by the protocol's client. A run that was left does not end; then pass `false`. */
export async function recorded(run: AsyncIterable<BaseEvent>): Promise<readonly BaseEvent[]> {
  const events: BaseEvent[] = [];
  for await (const event of run) events.push(event);
  return verified(events);
}

/** An event with whatever it says. */
export type Said = BaseEvent & { readonly [field: string]: unknown };

/** The events of one type. */
export function of(events: readonly BaseEvent[], type: string): readonly Said[] {
  return events.filter((event): event is Said => event.type === type);
}

/** The types of events, in order. */
export function types(events: readonly BaseEvent[]): readonly string[] {
  return events.map(({ type }) => type);
}

/** The values of the CUSTOM events of one name. */
export function customs(events: readonly BaseEvent[], name: string): readonly unknown[] {
  return of(events, 'CUSTOM').flatMap((event) => (event.name === name ? [event.value] : []));
}

/** The text that the model said, as the client reads it. */
export function textOf(events: readonly BaseEvent[]): string {
  return of(events, 'TEXT_MESSAGE_CONTENT')
    .map(({ delta }) => String(delta))
    .join('');
}

/** The tool results that the client sees: id of the call => content. */
export function resultsOf(events: readonly BaseEvent[]): readonly (readonly [string, string])[] {
  return of(events, 'TOOL_CALL_RESULT').map(
    ({ toolCallId, content }) => [String(toolCallId), String(content)] as const,
  );
}

/** How a run ended: the outcome's type, or the code of its error, or that it was cut off. */
export function endOf(events: readonly BaseEvent[]): string {
  const last = events.at(-1) as Said | undefined;
  if (last?.type === 'RUN_ERROR') return String(last.code);
  if (last?.type !== 'RUN_FINISHED') return 'cut off';
  return (last.outcome as { readonly type: string } | undefined)?.type ?? 'no outcome';
}

/** The text of the error that ended a run. */
export function errorOf(events: readonly BaseEvent[]): string {
  const last = events.at(-1) as Said | undefined;
  return last?.type === 'RUN_ERROR' ? String(last.message) : '';
}

/** What a run stopped at. */
export function interruptsOf(events: readonly BaseEvent[]): readonly Interrupt[] {
  const { outcome } = (events.at(-1) ?? {}) as { outcome?: { readonly interrupts?: readonly Interrupt[] } };
  return outcome?.interrupts ?? [];
}

/** The only interrupt that a run stopped at. */
export function interruptOf(events: readonly BaseEvent[]): Interrupt {
  const [interrupt, ...more] = interruptsOf(events);
  if (interrupt === undefined || more.length > 0) throw new Error(`the run stopped at ${more.length} more or none`);
  return interrupt;
}

/** The same answer to everything that a run stopped at. */
export function answer(events: readonly BaseEvent[], payload: unknown): ResumeEntry[] {
  return interruptsOf(events).map(({ id }) => ({ interruptId: id, status: 'resolved', payload }));
}

/** A yes to everything that a run stopped at. */
export function yes(events: readonly BaseEvent[]): ResumeEntry[] {
  return answer(events, { approved: true } satisfies TauAnswer);
}

/** A no to everything that a run stopped at. */
export function no(events: readonly BaseEvent[], reason?: string): ResumeEntry[] {
  return answer(events, { approved: false, ...(reason === undefined ? {} : { reason }) } satisfies TauAnswer);
}

/** Everything that a run stopped at, cancelled. */
export function cancel(events: readonly BaseEvent[]): ResumeEntry[] {
  return interruptsOf(events).map(({ id }) => ({ interruptId: id, status: 'cancelled' }));
}

/** Reads a run up to the first event of a type; that event is read. */
export async function upTo(run: AsyncIterator<BaseEvent>, type: string): Promise<readonly BaseEvent[]> {
  const events: BaseEvent[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done === true) throw new Error(`no ${type}`);
    events.push(next.value);
    if (next.value.type === type) return events;
  }
}

/** Milliseconds until something settles. */
export async function time(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}
