/** Roles of messages that hold a text and need nothing else. */
const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer', 'reasoning']);

/**
 * Whether a value is a message of a text and nothing else, which the schema takes as it is. Long histories are nearly
 * all of them, and a schema is slow until it has seen some ten thousand.
 */
export function isTextMessage(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length === 3 &&
    'id' in value &&
    'role' in value &&
    'content' in value &&
    typeof value.id === 'string' &&
    typeof value.content === 'string' &&
    ROLES.has(value.role)
  );
}
