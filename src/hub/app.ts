import { Hono } from 'hono';
import { agentRoute } from './api/agent.ts';
import { approvalRoutes } from './api/approvals.ts';
import { decisionRoute } from './api/decision.ts';
import { eventRoute } from './api/events.ts';
import { guard } from './api/guard.ts';
import { loginRoutes } from './api/login.ts';
import { cancelRoute, retryRoute } from './api/orders.ts';
import { pageRoutes } from './api/page.ts';
import { readingRoutes } from './api/reading.ts';
import { signRoutes } from './api/signs.ts';
import { threadRoutes } from './api/threads.ts';
import type { HubEnv, HubParts } from './parts.ts';
import { notFound, Problem } from './problem.ts';
import type { Resumer } from './resume.ts';
import { storeProblem } from './store-problem.ts';

/** All routes of a hub. The guard stands before each of them. */
export function createApp(parts: HubParts, resumer: Resumer): Hono<HubEnv> {
  const app = new Hono<HubEnv>();
  app.use(guard(parts));
  const routes = [
    signRoutes(parts),
    loginRoutes(parts),
    agentRoute(parts, resumer),
    approvalRoutes(parts),
    decisionRoute(parts),
    cancelRoute(parts),
    retryRoute(parts),
    threadRoutes(parts),
    readingRoutes(parts),
    eventRoute(parts),
    pageRoutes(parts),
  ];
  for (const route of routes) app.route('/', route);
  app.notFound(() => notFound().toResponse());
  app.onError((error) => {
    if (error instanceof Problem) return error.toResponse();
    parts.log.error('A request failed', { error: error.stack ?? error.message });
    const problem = storeProblem(error);
    return (
      problem ?? new Problem(500, 'internal', 'Something went wrong; the log of the hub says what.')
    ).toResponse();
  });
  return app;
}
