import { type Contender, type ServerKind, TOOL } from './contenders.ts';
import { calling, resultsSince, saying } from './fixed-model.ts';
import { history, request, user } from './input.ts';
import { listen } from './loopback.ts';
import type { Measurement } from './measurement.ts';

const MESSAGES = 1000;
const CALLS = 5;

const calls = Array.from({ length: CALLS }, (_, at) => calling(TOOL, `use_${at}`, ['{"text":', '"lamp"}']));
const done = saying('Done');

/** What a run of some calls on a long thread sends. */
export async function wire(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  const kilobytes = new Map<string, number>();
  const snapshots = new Map<string, number>();
  for (const contender of contenders) {
    const text = await sent(contender, 'express');
    const sizes = text.split('\n\n').flatMap((event) => (event.includes('"MESSAGES_SNAPSHOT"') ? [event.length] : []));
    kilobytes.set(contender.name, text.length / 1024);
    snapshots.set(contender.name, text.length / (sizes[0] ?? Number.NaN));
  }
  const what = `${CALLS} calls on a thread of ${MESSAGES} messages`;
  return [
    { what: `on the wire: ${what}`, unit: 'KiB', costs: kilobytes },
    { what: 'the same, in sizes of its first snapshot', unit: 'snapshots', costs: snapshots, target: { atMost: 3 } },
  ];
}

async function sent({ serve }: Contender, kind: ServerKind): Promise<string> {
  const reply = (messages: Parameters<typeof resultsSince>[0]) => calls[resultsSince(messages)] ?? done;
  const bridge = await serve({ reply, config: { messagesSnapshot: 'run' } });
  const listener = await bridge.listener(kind);
  if (listener === undefined) throw new Error(`There is no server of kind ${kind}`);
  const server = await listen(listener);
  try {
    const body = JSON.stringify(request('t', 'r', [...history(MESSAGES), user('u', 'Note it.')]));
    const headers = { 'content-type': 'application/json' };
    const text = await (await fetch(server.url, { method: 'POST', headers, body })).text();
    const results = text.split('"TOOL_CALL_RESULT"').length - 1;
    if (results !== CALLS) throw new Error(`${results} results of ${CALLS} came; the numbers mean nothing`);
    return text;
  } finally {
    await server.close();
  }
}
