import codes from './error-codes.json' with { type: 'json' };

/** A code of `error-codes.json`. */
export type RunErrorCode =
  | 'ADAPTER_BUG'
  | 'CONTINUATION_TOOL_NAME_UNRESOLVED'
  | 'ENCODING_ERROR'
  | 'FORBIDDEN_ANSWER'
  | 'FRONTEND_TOOL_IDENTITY_ERROR'
  | 'INVALID_PAYLOAD'
  | 'MEDIA_NOT_SUPPORTED'
  | 'ORCHESTRATOR_NOT_SUPPORTED'
  | 'PARTIAL_RESUME'
  | 'PENDING_INTERRUPTS'
  | 'SEED_BUILD_ERROR'
  | 'SESSION_MANAGER_ERROR'
  | 'SESSION_MANAGER_INVALID_TYPE'
  | 'STRANDS_ERROR'
  | 'STRANDS_FORCE_STOP'
  | 'TEMPLATE_TOOLS_PROVIDER_ERROR'
  | 'THREAD_AGENT_CONFIG_ERROR'
  | 'THREAD_BUSY'
  | 'UNKNOWN_INTERRUPT_ID';

const table: Readonly<Record<RunErrorCode, { readonly message: string }>> = codes;

/** Ends a run with a documented code. Its message goes to the client as it is; the cause goes to the log only. */
export class RunError extends Error {
  readonly code: RunErrorCode;

  /** @param values - What stands for each `{}` of the code's message, in order. */
  constructor(code: RunErrorCode, values: readonly string[] = [], options?: { cause?: unknown }) {
    super(fill(table[code].message, values), options);
    this.name = 'RunError';
    this.code = code;
  }
}

/** An error of a code whose message is written out by whoever raises it. */
export function runErrorWithMessage(code: RunErrorCode, message: string, cause?: unknown): RunError {
  const error = new RunError(code, [], { cause });
  error.message = message;
  return error;
}

function fill(template: string, values: readonly string[]): string {
  let next = 0;
  return template.replace(/\{\}/g, () => values[next++] ?? '');
}
