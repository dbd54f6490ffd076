import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender, Served, ServerKind } from './contenders.ts';
import { DONE } from './fixed-model.ts';
import { request, user } from './input.ts';
import { type Loopback, listen } from './loopback.ts';
import type { Measurement } from './measurement.ts';

const DELTA = 'x'.repeat(16 * 1024);
/** An event around it, as it is sent. */
const OVERHEAD = 160;
const MOST_DELTAS = 3000;
const MEBIBYTE = 1024 * 1024;

const kinds: readonly (readonly [ServerKind, string])[] = [
  ['handler', 'createHandler'],
  ['express', 'Express'],
];

/** What a server holds for a client that sends a request and never reads, while the model has 47 MiB to say. */
export async function unread(contenders: readonly Contender[]): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [kind, name] of kinds) {
    const costs = new Map<string, number>();
    for (const contender of contenders) {
      const held = await heldBy(contender, kind);
      if (held !== undefined) costs.set(contender.name, held / MEBIBYTE);
    }
    measurements.push({
      what: `held for a client that never reads, ${name}`,
      unit: 'MiB',
      costs,
      target: { atMost: 1 },
    });
  }
  return measurements;
}

async function heldBy({ serve }: Contender, kind: ServerKind): Promise<number | undefined> {
  let made = 0;
  const bridge = await serve({
    reply: async function* () {
      const [start, block, delta, ...end] = DONE;
      if (start !== undefined) yield start;
      if (block !== undefined) yield block;
      for (; made < MOST_DELTAS; made++) {
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: DELTA } } as const;
        if (made % 16 === 0) await sleep(0);
      }
      if (delta !== undefined) yield delta;
      yield* end;
    },
  });
  return withServer(bridge, kind, async (server) => {
    const socket = await postAndNeverRead(server.port);
    await untilStill(() => made);
    const held = made * (DELTA.length + OVERHEAD) - [...server.sockets].reduce((sum, one) => sum + left(one), 0);
    socket.destroy();
    return Math.max(held, 0);
  });
}

/** Bytes that have left the process: what the system holds does not count. */
function left({
  bytesWritten,
  writableLength,
}: {
  readonly bytesWritten: number;
  readonly writableLength: number;
}): number {
  return bytesWritten - writableLength;
}

async function withServer<T>(
  bridge: Served,
  kind: ServerKind,
  use: (server: Loopback) => Promise<T>,
): Promise<T | undefined> {
  const listener = await bridge.listener(kind);
  if (listener === undefined) return undefined;
  const server = await listen(listener);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

async function postAndNeverRead(port: number): Promise<ReturnType<typeof connect>> {
  const body = JSON.stringify(request('t', 'r', [user('m', 'Tell me everything.')]));
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

/** Waits until something has started and has not grown for a while. */
async function untilStill(read: () => number): Promise<void> {
  let before = -1;
  for (let still = 0; still < 3; before = read()) {
    await sleep(150);
    still = read() === before && before > 0 ? still + 1 : 0;
  }
}
