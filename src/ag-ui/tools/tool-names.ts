const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const SHOWN_LENGTH = 80;

/** What two names share that the SDK's registry refuses to hold side by side: they differ by `-` and `_` only. */
export function registryName(name: string): string {
  return name.replaceAll('-', '_');
}

/** What two names share that a person or a model could take for one another. */
export function nameIdentity(name: string): string {
  return registryName(name).toLowerCase();
}

/** Whether a tool may have the name: the SDK takes it, and it is no property of every object. */
export function isToolName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name) && !(name in Object.prototype);
}

/** Anything that came from outside, as it may stand in a log line. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string' ? JSON.stringify(value) : `a value of type ${value === null ? 'null' : typeof value}`;
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
