import { TauError } from '../core/errors.ts';

/** The command line was typed wrong; ends with exit code 2. The message says what was wrong and how to fix it. */
export class UsageError extends TauError {
  constructor(message: string) {
    super('usage', message);
  }
}
