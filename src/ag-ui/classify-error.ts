import {
  ContextWindowOverflowError,
  MaxTokensError,
  ModelThrottledError,
  StructuredOutputError,
} from '@strands-agents/sdk';
import { TauError } from '../core/errors.ts';
import { RunError, runErrorWithMessage } from './run-error.ts';

/**
 * What the client is told of an error: a `RunError` says it itself; everything else gets a code and a text that
 * discloses nothing. The error itself belongs in the log.
 *
 * @param source - Whether the agent threw it or the bridge.
 */
export function classifyError(error: unknown, source: 'agent' | 'bridge'): RunError {
  if (error instanceof RunError) return error;
  if (error instanceof MaxTokensError)
    return strandsError("The answer was cut off at the model's maximum length.", error);
  if (error instanceof StructuredOutputError) return strandsError('The model gave no structured output.', error);
  if (error instanceof ContextWindowOverflowError)
    return strandsError('The conversation is too long for the model.', error);
  if (error instanceof ModelThrottledError) return strandsError('The model service is busy; try again later.', error);
  if (source === 'agent') {
    return runErrorWithMessage('STRANDS_FORCE_STOP', 'The Strands agent stopped unexpectedly.', error);
  }
  if (error instanceof TauError) return strandsError('The run could not go on; see the log of the server.', error);
  return runErrorWithMessage('ADAPTER_BUG', 'The server failed to handle this run; see its log.', error);
}

function strandsError(message: string, cause: unknown): RunError {
  return runErrorWithMessage('STRANDS_ERROR', message, cause);
}
