import { Hono } from 'hono';
import { PageFiles } from '../page.ts';
import type { HubEnv, HubParts } from '../parts.ts';
import { notFound } from '../problem.ts';

/** `GET /`, `GET /login` and the page's files. */
export function pageRoutes({ page }: Pick<HubParts, 'page'>): Hono<HubEnv> {
  const files = page === undefined ? undefined : new PageFiles(page);
  return new Hono<HubEnv>().get('*', (context) => {
    const response = files?.serve(context.req.path);
    if (response === undefined) throw notFound();
    return response;
  });
}
