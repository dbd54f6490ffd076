import type { Response } from 'express';
import type { RunFeed } from '../run-feed.ts';

/**
 * Sends a run to a client, as fast as the client reads. When the client leaves, the run is closed at once.
 *
 * @returns when the run has ended or the client has left.
 */
export async function pump(feed: RunFeed, contentType: string, response: Response): Promise<void> {
  response.on('close', () => feed.close());
  response.on('error', () => feed.close());
  // Who left before these could hear of it gets no run.
  if (response.destroyed) return feed.close();
  sendHead(contentType, response);
  for (let bytes = await feed.next(); bytes !== undefined; bytes = await feed.next()) {
    if (!response.write(bytes)) await room(response);
  }
  if (!response.destroyed) response.end();
}

function sendHead(contentType: string, response: Response): void {
  response.status(200);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Accel-Buffering', 'no');
  // HTTP/2 has no such header and refuses it.
  if (response.req.httpVersionMajor < 2) response.setHeader('Connection', 'keep-alive');
  response.flushHeaders();
}

/** Waits until the connection takes more, or is gone. */
function room(response: Response): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
