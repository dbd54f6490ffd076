import type { Rules } from './rules.ts';
import type { Ledger } from './state.ts';

/**
 * Why a call of a client tool cannot be told to the client, or `undefined`. The client answers by this id and a
 * waiting result in the agent's history is found by it, so it must be the model's own and belong to one call.
 */
export function identityFault(ledger: Ledger, toolUseId: string, name: string, rules: Rules): string | undefined {
  if (toolUseId === '') {
    return `Frontend tool '${name}' requires a non-empty, unique native toolUseId from Strands. Upgrade the Strands model provider or use one that supplies stable tool-use IDs.`;
  }
  if (ledger.calls.has(toolUseId) || ledger.wireIds.has(toolUseId)) {
    return `Frontend tool '${name}' was called with toolUseId '${toolUseId}', which another call of this turn has already. Upgrade the Strands model provider or use one that supplies unique tool-use IDs.`;
  }
  if (rules.isPastCall(toolUseId) || rules.alreadyAnnounced(toolUseId)) {
    return `Frontend tool '${name}' was called with toolUseId '${toolUseId}', which a call in the history of this thread has already. Upgrade the Strands model provider or use one that supplies unique tool-use IDs.`;
  }
  return undefined;
}

/** The id of a server call on the wire. A client merges calls with one id, so one that is taken is replaced. */
export function wireIdOf(ledger: Ledger, toolUseId: string, rules: Rules): string {
  const taken = toolUseId === '' || ledger.wireIds.has(toolUseId) || rules.isPastCall(toolUseId);
  return taken ? rules.newId() : toolUseId;
}
