import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Principal } from '../../../core/call.ts';
import type { Logger } from '../../config.ts';
import { type Refusal, refusalOf } from '../refusal.ts';

/**
 * Express middleware that admits a request by calling `next()` and refuses it by answering it: `express-jwt`, passport
 * or a function of your own. It may put a `Principal` on `request.principal`.
 */
export type StrandsAuthMiddleware = (request: StrandsAuthRequest, response: Response, next: NextFunction) => unknown;

/** A request as a guard gets it: it may say whose the request is. */
export type StrandsAuthRequest = Request & { principal?: Principal };

/**
 * Puts a guard in front of a route so that it fails closed: what it throws, rejects with or hands to `next` refuses the
 * request, and a request that it answered goes no further even when it calls `next()` too. What fails after the guard has
 * admitted a request is logged and changes nothing.
 */
export function guarded(auth: StrandsAuthMiddleware, log: Logger): RequestHandler {
  return (request, response, next) => {
    const gate = new Gate(response, next, log);
    try {
      const result = auth(request, response, (signal?: unknown) => gate.admit(signal));
      Promise.resolve(result).catch((error: unknown) => gate.refuse(error));
    } catch (error) {
      gate.refuse(error);
    }
  };
}

/** Answers with a refusal, or drops the connection when another answer has begun and cannot be taken back. */
export function fail(response: Response, { status, body, headers }: Refusal): void {
  if (response.writableEnded) return;
  if (response.headersSent) response.destroy();
  else
    response
      .status(status)
      .set({ ...headers })
      .json(body);
}

/** What a guard may still decide about one request: nothing, once it has spoken. */
class Gate {
  readonly #response: Response;
  readonly #next: NextFunction;
  readonly #log: Logger;
  #state: 'waiting' | 'admitted' | 'refused' = 'waiting';

  constructor(response: Response, next: NextFunction, log: Logger) {
    this.#response = response;
    this.#next = next;
    this.#log = log;
  }

  /** @param signal - What the guard handed to `next`. */
  admit(signal: unknown): void {
    if (isFailure(signal)) return this.refuse(signal);
    if (this.#state !== 'waiting') return;
    this.#state = this.#response.headersSent ? 'refused' : 'admitted';
    if (this.#state === 'admitted') this.#next(signal ?? undefined);
  }

  refuse(error: unknown): void {
    this.#log.error('Authentication of the agent route failed', error);
    if (this.#state === 'admitted') return;
    this.#state = 'refused';
    fail(this.#response, refusalOf(error));
  }
}

/** Express has two words for "not this route"; whatever else is handed to `next`, even `false`, is a failure here. */
function isFailure(signal: unknown): boolean {
  return signal !== undefined && signal !== null && signal !== 'route' && signal !== 'router';
}
