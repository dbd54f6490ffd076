import { Hono } from 'hono';
import type { PageFile } from '../options.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound } from '../problem.ts';

/** `GET /`, `GET /login` and the page's files. What is not among them cannot be asked for, however a path is written. */
export function pageRoutes({ page }: Pick<HubParts, 'page'>): Hono<HubEnv> {
  return new Hono<HubEnv>().get('*', (context) => {
    const file = page?.get(context.req.path);
    if (file === undefined) throw notFound();
    return new Response(new Uint8Array(file.body), { headers: headersOf(file) });
  });
}

function headersOf({ type, immutable }: PageFile): Readonly<Record<string, string>> {
  return {
    'Content-Type': type,
    'Cache-Control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
}
