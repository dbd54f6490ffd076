import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { ParkingApprover, type TierGate } from 'strands-tau';
import { StrandsAgent } from 'strands-tau/ag-ui';
import { createHandler } from 'strands-tau/ag-ui/server';
import { buildAgent } from 'strands-tau/strands';
import { House } from './house.ts';
import { HouseModel } from './house-model.ts';

/** A running server. */
export interface Served {
  readonly url: string;
  readonly house: House;
  /** Where the questions are; somebody else may decide one here. */
  readonly gate: TierGate;
  close(): void;
}

const page = fileURLToPath(new URL('../dist/', import.meta.url));

/** The page loads nothing from elsewhere and talks to nobody else, whatever a model writes into the conversation. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:";

/** Serves the page, the agent behind it, and what the house says of itself. */
export async function serveHouse(options: { readonly port: number; readonly timeoutSeconds: number }): Promise<Served> {
  const house = new House();
  const agent = await buildAgent({
    model: new HouseModel(),
    tools: house.tools(),
    // Leaves every question open; the answer of the person comes with the next request.
    approver: new ParkingApprover({ timeoutSeconds: options.timeoutSeconds }),
  });
  const handler = createHandler(new StrandsAgent({ agent, name: 'house' }), {
    // Everybody at this computer is Ada. A real server reads a session or a token here.
    authenticate: () => ({ id: 'ada', kind: 'person' }),
  });

  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    context.header('Content-Security-Policy', POLICY);
  });
  app.post('/agent', (context) => handler(context.req.raw));
  app.get('/house', (context) => context.json(house.state));
  app.use('/assets/*', serveStatic({ root: page }));
  app.get('/', async (context) => context.html(await readFile(`${page}index.html`, 'utf8')));

  const server = serve({ fetch: app.fetch, port: options.port, hostname: '127.0.0.1' });
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { url: `http://127.0.0.1:${port}/`, house, gate: agent.gate, close: () => server.close() };
}
