import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { pageFiles } from '../../../src/channels/web/page-files.ts';
import type { PageHub } from '../hub.ts';
import { resume, runScript, type Stage } from './stub-agent.ts';
import { type Asked, answer } from './stub-routes.ts';
import { ADA, StubWorld } from './stub-world.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Starts the stub. */
export async function startStubHub(): Promise<PageHub> {
  const hub = new StubHub(await pageFiles());
  await hub.listen();
  return hub;
}

class StubHub implements PageHub {
  readonly sent: { readonly path: string; readonly body: unknown }[] = [];
  readonly #files: Awaited<ReturnType<typeof pageFiles>>;
  readonly #stage: Stage;
  readonly #streams = new Set<ServerResponse>();
  readonly #codes = new Set<string>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch(() => response.destroy());
  });
  #refusing = false;

  constructor(files: Awaited<ReturnType<typeof pageFiles>>) {
    this.#files = files;
    const tell = (name: string, data: unknown): void => this.#tell(name, data);
    this.#stage = { world: new StubWorld((row) => tell('audit', row)), threads: new Map(), tell };
    this.#stage.world.store.watch((id) => void this.#changed(id));
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  loginLink(): Promise<string> {
    const code = crypto.randomUUID();
    this.#codes.add(code);
    return Promise.resolve(`${this.url}/login#code=${code}`);
  }

  ask(...[tool, args, by = ADA.id]: Parameters<PageHub['ask']>): Promise<string> {
    return this.#stage.world.ask(tool, args, 'a-conversation-elsewhere', by);
  }

  async decide(...[id, decision, channel]: Parameters<PageHub['decide']>): Promise<void> {
    await this.#stage.world.gate.decide(id, { decision, by: { id: 'grace', kind: 'person' }, channel });
  }

  async lose(id: string): Promise<void> {
    const { store } = this.#stage.world;
    await this.decide(id, 'approved', 'telegram');
    await store.consume(id, 'lost', Date.now());
    await store.lose(id, Date.now());
  }

  disconnect(): void {
    this.#refusing = true;
    for (const stream of this.#streams) stream.destroy();
  }

  reconnect(): void {
    this.#refusing = false;
  }

  close(): Promise<void> {
    this.disconnect();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #changed(id: string): Promise<void> {
    const record = await this.#stage.world.store.get(id);
    this.#tell('approval', { id, status: record?.status });
    await resume(this.#stage, id);
  }

  #tell(name: string, data: unknown): void {
    for (const stream of this.#streams) stream.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const method = request.method ?? 'GET';
    if (method === 'GET' && this.#file(pathname, response)) return;
    const body = method === 'POST' ? Object(await json(request)) : {};
    if (pathname === '/login') return this.#login(String(body.code), response);
    if (!request.headers.cookie?.includes('stub=ada')) return refuse(response, 401);
    if (pathname === '/logout') return void response.writeHead(204, { 'set-cookie': 'stub=; Max-Age=0' }).end();
    if (pathname === '/api/events') return this.#events(response);
    if (pathname === '/agent') return this.#run(body, response);
    if (method === 'POST') this.sent.push({ path: pathname, body });
    const asked: Asked = { method, path: pathname, query: searchParams, body };
    const [status, told] = await answer(this.#stage, asked);
    send(response, status, told);
  }

  #file(path: string, response: ServerResponse): boolean {
    const file = this.#files.get(path);
    if (file === undefined) return false;
    response.writeHead(200, { 'content-type': file.type, 'content-security-policy': POLICY }).end(file.body);
    return true;
  }

  #login(code: string, response: ServerResponse): void {
    if (!this.#codes.delete(code)) return refuse(response, 401);
    response.setHeader('set-cookie', 'stub=ada; HttpOnly; SameSite=Strict; Path=/');
    send(response, 200, {});
  }

  #events(response: ServerResponse): void {
    if (this.#refusing) return refuse(response, 503);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
    this.#streams.add(response);
    response.on('close', () => this.#streams.delete(response));
  }

  async #run(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    const messages: unknown = body.messages;
    const { content, id } = Object(Array.isArray(messages) ? messages.at(-1) : undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const input = {
      threadId: String(body.threadId),
      runId: String(body.runId),
      text: String(content),
      messageId: String(id),
    };
    for await (const event of runScript(this.#stage, input)) {
      if (response.destroyed) break;
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }
}

function refuse(response: ServerResponse, status: number): void {
  send(response, status, { error: { code: 'refused', message: 'No.' } });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
