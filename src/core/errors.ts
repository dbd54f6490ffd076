/**
 * An error of tau itself: a broken call, a broken configuration or a broken store. A denial is never an error; it
 * is a value (`Verdict`, `CallOutcome`).
 */
export class TauError extends Error {
  /** Stable, machine-readable reason, such as `config` or `not_json`. */
  readonly code: string;

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A set-up that tau refuses to start with; the message says what was wrong and what to do. */
export class ConfigError extends TauError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('config', message, options);
  }
}

/** The text of anything that was thrown, without throwing again. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'unreadable error';
  }
}
