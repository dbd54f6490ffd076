import type { Agent, AgentConfig } from '@strands-agents/sdk';
import { ConfigError } from '../../core/errors.ts';
import { templateGuards } from '../../strands/sdk-internals.ts';
import type { Logger } from '../config.ts';

/**
 * The configuration of a copy of a plain template. What guards the template goes along; what guards it and cannot go
 * along refuses the template, because a copy without its guard is worse than no copy.
 *
 * @throws ConfigError that names what cannot be carried.
 */
export function templateConfig(template: Agent, name: string, log: Logger): AgentConfig {
  const guards = templateGuards(template);
  if (guards.unknown.length > 0) {
    throw new ConfigError(
      `The template agent is guarded by ${guards.unknown.join(' and ')}, which a copy would lose. ` +
        'Give the bridge a factory that builds each agent with it, or a TauAgent',
    );
  }
  warnAboutLosses(template, log);
  return {
    model: guards.router ?? template.model,
    tools: [...template.tools],
    printer: false,
    name: template.name,
    id: template.id === 'agent' ? name : template.id,
    toolExecutor: template.toolExecutor,
    interventions: [...guards.interventions],
    plugins: [...guards.plugins],
    ...(template.systemPrompt === undefined ? {} : { systemPrompt: template.systemPrompt }),
    ...(template.description === undefined ? {} : { description: template.description }),
    appState: template.appState.getAll(),
    modelState: template.modelState.getAll(),
  };
}

const warned = new WeakSet<Agent>();

/** Settings that do not guard; the copy works without them, differently. */
function warnAboutLosses(template: Agent, log: Logger): void {
  if (warned.has(template)) return;
  warned.add(template);
  const lost = (['contextManager', 'memoryManager', 'storage', 'sessionManager'] as const).filter(
    (field) => template[field] !== undefined,
  );
  if (lost.length > 0) {
    log.warn(`The template's ${lost.join(', ')} cannot be copied to its threads; use a factory to keep them`);
  }
}
