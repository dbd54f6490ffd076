import type { BaseEvent } from '@ag-ui/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { asRun, counter, seenByClient, seenByOldClient } from '../../../test/support/translate.ts';
import type { ToolBehavior } from '../config.ts';
import { chunkMapper } from './chunks.ts';
import { TOOL_ARGS, toolArgs } from './events.ts';
import type { TranslatorInput } from './input.ts';
import { fail, finish, step } from './machine.ts';
import type { Output } from './output.ts';
import { continueOpen } from './piece.ts';
import { behaviorLookup, type Rules } from './rules.ts';
import { initialState, type State } from './state.ts';

const RUNS = 20_000;

async function* nothing(): AsyncGenerator<never> {}

const behaviors: Record<string, ToolBehavior> = {
  held: { argsStreamer: nothing, stateFromArgs: () => ({}), skipMessagesSnapshot: true },
  going: { continueAfterFrontendCall: true },
  last: { stopStreamingAfterResult: true, predictState: { stateKey: 'k', tool: 'last', toolArgument: 'a' } },
  busy: { toolStreamEventHandler: nothing, customResultHandler: nothing, stateFromResult: () => null },
};

const name = fc.constantFrom('back', 'front', 'going', 'held', 'last', 'busy', '', '__proto__', 'constructor');
const toolUseId = fc.constantFrom('a', 'b', 'c', 'd', '', '__proto__', 'past', 'told');
const text = fc.constantFrom('', 'x', '\u0000', '{"a":1}');
const data = fc.constantFrom(null, 'half', { state: { a: [1] } }, { state: [1] }, Object.create(null));
const whole = { toolUseId, name, input: fc.constantFrom(null, {}, { a: 1 }, 'text', 10n) };

/** Anything the reader could say, in any order, with what no agent would say among it. */
const anyInput: fc.Arbitrary<TranslatorInput> = fc.oneof(
  fc.record({ type: fc.constant('message_start' as const), brokenOff: fc.boolean() }),
  fc.record({ type: fc.constant('text' as const), text }),
  fc.record({ type: fc.constant('reasoning' as const), text }),
  fc.record({ type: fc.constant('redacted' as const), data: fc.constant('AAAA') }),
  fc.record({ type: fc.constant('tool_start' as const), toolUseId, name }),
  fc.record({ type: fc.constant('tool_args' as const), delta: text }),
  fc.record({ type: fc.constant('block_stop' as const) }),
  fc.record({ type: fc.constant('tool_use' as const), ...whole }),
  fc.record({ type: fc.constant('tool_pending' as const), ...whole }),
  fc.record({ type: fc.constant('tool_progress' as const), toolUseId: fc.option(toolUseId, { nil: undefined }), data }),
  fc.record({
    type: fc.constant('tool_result' as const),
    toolUseId,
    status: fc.constantFrom('success' as const, 'error' as const),
    content: fc.constantFrom([], [{ type: 'text' as const, text: 'ok' }], [{ type: 'json' as const, json: null }]),
  }),
  fc.record({ type: fc.constant('tools_done' as const) }),
  fc.record({ type: fc.constant('stopped' as const), reason: fc.constant('content_filtered') }),
  fc.record({ type: fc.constantFrom('step_start' as const, 'step_stop' as const), name: fc.constantFrom('n', 'm') }),
  fc.record({ type: fc.constant('raw' as const), event: fc.constant({ type: 'other' }) }),
);

/** Random answers are mostly rejected soon; these hold what an agent does, so that random orders get further. */
const plausible: fc.Arbitrary<readonly TranslatorInput[]> = fc
  .tuple(toolUseId, name, fc.boolean(), fc.boolean())
  .map(([id, tool, stopped, failed]): readonly TranslatorInput[] => [
    { type: 'tool_start', toolUseId: id, name: tool },
    { type: 'tool_args', delta: '{}' },
    ...(stopped ? [{ type: 'block_stop' } as const] : []),
    { type: 'tool_result', toolUseId: id, status: failed ? 'error' : 'success', content: [] },
  ]);

const anyStream = fc
  .array(
    fc.oneof(
      anyInput.map((input) => [input]),
      plausible,
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.flat());

function rules(): Rules {
  return {
    isFrontend: (tool) => tool === 'front' || tool === 'going',
    alreadyAnnounced: (id) => id === 'told',
    isPastCall: (id) => id === 'past' || id === 'told',
    behaviorOf: behaviorLookup(behaviors),
    newId: counter(),
  };
}

interface Ran {
  readonly events: readonly BaseEvent[];
  readonly outputs: readonly Output[];
  readonly failed: boolean;
}

/** Runs the machine as the translator does, with hooks that send one event each. */
function run(inputs: readonly TranslatorInput[], broken: boolean): Ran {
  const known = rules();
  const outputs: Output[] = [];
  let state: State = initialState();
  for (const input of inputs) {
    const next = step(state, input, known);
    state = next.state;
    outputs.push(...next.outputs);
    if (next.outputs.some((output) => output.type === 'reject')) break;
  }
  const failed = broken || outputs.some((output) => output.type === 'reject');
  const closing = failed ? fail(state) : finish(state);
  outputs.push(...closing.outputs);
  const again = failed ? fail(closing.state) : finish(closing.state);
  expect(again.outputs).toEqual([]);
  return { events: outputs.flatMap(eventsOf), outputs, failed };
}

function eventsOf(output: Output): readonly BaseEvent[] {
  if (output.type === 'event') return [output.event];
  if (output.type !== 'hook' || output.hook !== 'argsStreamer') return [];
  return [toolArgs(output.view.toolUseId, '{}')];
}

function idsOf(events: readonly BaseEvent[], type: string): readonly unknown[] {
  return events.filter((event) => event.type === type).map((event) => event.toolCallId ?? event.messageId);
}

it('[C5.2, C5.3, C5.4] sends a run that clients accept, whatever the order of what the agent does', () => {
  fc.assert(
    fc.property(anyStream, fc.boolean(), (inputs, broken) => {
      const { events, failed } = run(inputs, broken);
      const sent = asRun(events, failed);
      expect(seenByClient(sent)).toEqual(sent);
      expect(seenByOldClient(sent)).toEqual(sent);
    }),
    { numRuns: RUNS },
  );
}, 120_000);

it('[C5.10] sends chunks from which clients assemble the same messages and calls', () => {
  fc.assert(
    fc.property(anyStream, fc.boolean(), (inputs, broken) => {
      const { events, failed } = run(inputs, broken);
      const map = chunkMapper();
      const chunks = asRun(
        events.flatMap((event) => map(event) ?? []),
        failed,
      );
      expect(said(seenByClient(chunks))).toEqual(said(events));
      expect(said(seenByOldClient(chunks))).toEqual(said(events));
    }),
    { numRuns: RUNS / 4 },
  );
}, 120_000);

it('[C5.2, C5.7, C6.5] opens and closes everything once, answers a call once, and gives no id twice', () => {
  fc.assert(
    fc.property(anyStream, fc.boolean(), (inputs, broken) => {
      const { events } = run(inputs, broken);
      for (const kind of ['TEXT_MESSAGE', 'TOOL_CALL', 'REASONING', 'REASONING_MESSAGE']) {
        const started = idsOf(events, `${kind}_START`);
        expect(new Set(started).size).toBe(started.length);
        expect(idsOf(events, `${kind}_END`).toSorted()).toEqual(started.toSorted());
      }
      const answered = idsOf(events, 'TOOL_CALL_RESULT');
      expect(new Set(answered).size).toBe(answered.length);
      expect(events.some((event) => event.toolCallId === '' || event.toolCallName === '')).toBe(false);
    }),
    { numRuns: RUNS / 4 },
  );
}, 120_000);

it('[C6.2, C6.4] says nothing after a call that waits for the client, and never sends its placeholder', () => {
  fc.assert(
    fc.property(anyStream, (inputs) => {
      const honest = inputs.filter(({ type }) => type !== 'message_start' && type !== 'tools_done');
      const answers = honest.map((input) =>
        input.type === 'tool_result' ? ({ ...input, status: 'success' } as const) : input,
      );
      const { events } = run(answers, false);
      const fronts = events.filter((event) => event.toolCallName === 'front' || event.toolCallName === 'going');
      const waiting = events.findIndex((event) => event.toolCallName === 'front');
      const results = idsOf(events, 'TOOL_CALL_RESULT');
      expect(fronts.filter((event) => results.includes(event.toolCallId))).toEqual([]);
      const after = waiting < 0 ? [] : events.slice(waiting);
      expect(after.filter((event) => /^(TEXT|REASONING).*(START|CONTENT)/.test(event.type))).toEqual([]);
    }),
    { numRuns: RUNS / 4 },
  );
}, 120_000);

it('[C5.2] says the same by the short way of pieces as by the long one', () => {
  fc.assert(
    fc.property(anyStream, (inputs) => {
      const known = rules();
      const events: BaseEvent[] = [];
      let state: State = initialState();
      for (const input of inputs) {
        const short = shortWay(state, input);
        const next = short === undefined ? step(state, input, known) : { state, outputs: [] };
        state = next.state;
        events.push(...next.outputs.flatMap(eventsOf), ...(short ?? []));
        if (next.outputs.some((output) => output.type === 'reject')) break;
      }
      expect(events).toEqual(run(inputs, false).events.slice(0, events.length));
    }),
    { numRuns: RUNS / 4 },
  );
}, 120_000);

function shortWay(state: State, input: TranslatorInput): readonly BaseEvent[] | undefined {
  if ((input.type !== 'text' || input.text === '') && (input.type !== 'tool_args' || input.delta === ''))
    return undefined;
  const event = continueOpen(state, input);
  return event === undefined ? undefined : [event];
}

/** What a client has in the end: the texts, thoughts and arguments by id. */
function said(events: readonly BaseEvent[]): Record<string, string> {
  const words: Record<string, string> = Object.create(null);
  for (const event of events) {
    const id = String(event.toolCallId ?? event.messageId ?? '');
    if (event.type === TOOL_ARGS || /_CONTENT$/.test(event.type))
      words[`${id} `] = `${words[`${id} `] ?? ''}${event.delta}`;
    if (/^(TEXT|TOOL|REASONING).*_START$/.test(event.type)) words[`${id} `] ??= '';
  }
  return words;
}
