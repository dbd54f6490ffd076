/** What a credential may do: `run` talks to the agent and withdraws own questions, `decide` answers questions. */
export const SCOPES = ['run', 'decide'] as const;

/** One thing that a credential may do. */
export type Scope = (typeof SCOPES)[number];

/** Whether a text names a scope. */
export function isScope(text: unknown): text is Scope {
  return text === 'run' || text === 'decide';
}

/** The scopes that are in both lists; an agent never has `decide`, whatever they say. */
export function commonScopes(
  kind: 'person' | 'service' | 'agent',
  granted: readonly Scope[],
  wanted: readonly Scope[],
): ReadonlySet<Scope> {
  const common = SCOPES.filter((scope) => granted.includes(scope) && wanted.includes(scope));
  return new Set(kind === 'agent' ? common.filter((scope) => scope !== 'decide') : common);
}
