import type { Request } from '../bridge-parts.ts';
import type { Plan } from '../interrupt/plan.ts';
import type { ToolsOfRun } from '../tools/tools-of-run.ts';
import type { BegunRun } from './begin-run.ts';
import type { ThreadAgent } from './thread-agent.ts';

/** A run that is about to be streamed. */
export interface OpenRun {
  readonly request: Request;
  readonly thread: ThreadAgent;
  readonly plan: Extract<Plan, { type: 'prompt' | 'resume' }>;
  readonly tools: ToolsOfRun;
  readonly begun: BegunRun;
}
