// What `client.ts` starts. It posts what it is told to, and tells when the event came that was waited for.
import type { Order } from './client.ts';

process.on('message', async (order: Order) => {
  process.send?.(await take(order));
});

async function take({ url, body, type }: Order): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  let cost: number | undefined;
  let text = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    if (cost === undefined && text.includes(`"type":"${type}"`)) cost = performance.now() - began;
  }
  return cost ?? Number.NaN;
}
