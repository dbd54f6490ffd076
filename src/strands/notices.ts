import { ContextWindowOverflowError, MaxTokensError, ModelThrottledError } from '@strands-agents/sdk';
import { errorText } from '../core/errors.ts';
import { type Language, type MessageKey, message } from '../core/i18n.ts';
import type { Budget, LimitName } from './budget.ts';
import type { TurnEndReason, TurnEvent } from './turn-event.ts';

/** A notice for the person. */
export function notice(
  language: Language,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): TurnEvent {
  return { type: 'notice', key, text: message(language, key, values) };
}

/** What the person reads when a limit ended the turn; it also closes the history. */
export function limitText(language: Language, hit: LimitName, budget: Budget): string {
  return message(language, limitKey(hit), { value: budget.limit(hit) });
}

/** The message of a limit. */
export function limitKey(hit: LimitName): MessageKey {
  return hit === 'turns' ? 'notice.turn_limit' : 'notice.token_limit';
}

/** The end of a turn whose model call failed, with its message. */
export function modelFailure(error: unknown): {
  readonly reason: TurnEndReason;
  readonly key: MessageKey;
  readonly detail: string;
} {
  const detail = errorText(error);
  if (error instanceof MaxTokensError) return { reason: 'maxTokens', key: 'notice.max_tokens', detail };
  if (error instanceof ContextWindowOverflowError) return { reason: 'contextOverflow', key: 'notice.overflow', detail };
  if (error instanceof ModelThrottledError) return { reason: 'throttled', key: 'notice.throttled', detail };
  return { reason: 'modelError', key: 'notice.model_error', detail };
}
