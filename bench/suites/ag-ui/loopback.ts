import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** A server on a free port of this machine. */
export interface Loopback {
  readonly url: string;
  readonly port: number;
  /** The server's side of the connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

export async function listen(listener: RequestListener): Promise<Loopback> {
  const sockets = new Set<Socket>();
  const server = createServer(listener);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    sockets,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
