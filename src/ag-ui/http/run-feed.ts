import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { Principal } from '../../core/call.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../config.ts';
import type { EventEncoder } from '../encode/encoder.ts';
import { eventForClient } from '../encode/for-client.ts';
import { RunError, runErrorWithMessage } from '../run-error.ts';
import { RUN_ERROR, RUN_FINISHED, RUN_STARTED } from '../translate/events.ts';
import type { ServedAgent } from './served-agent.ts';

/** One run on its way to one client. */
export interface RunRequest {
  readonly agent: ServedAgent;
  readonly input: RunAgentInput;
  readonly principal: Principal;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoder: EventEncoder;
  readonly log: Logger;
  /** Milliseconds of silence after which something is sent to keep the connection open. */
  readonly keepAliveMs: number;
}

const FAILED = 'The agent failed. What happened is in the log of the server.';
const CUT_SHORT = 'The run ended without a result.';

/**
 * The encoded events of a run, pulled one at a time, so that a slow client slows the agent down and nothing piles up.
 * Whatever the agent does, the stream begins with `RUN_STARTED`, ends with `RUN_FINISHED` or `RUN_ERROR`, and says
 * nothing of the server's inside.
 */
export class RunFeed {
  readonly #request: RunRequest;
  readonly #left = new AbortController();
  readonly #queue: Uint8Array[] = [];
  #events: AsyncGenerator<BaseEvent, unknown, unknown> | undefined;
  #pending: Promise<Bytes> | undefined;
  #wake: () => void = () => undefined;
  #started = false;
  #finished = false;
  #over = false;

  constructor(request: RunRequest) {
    this.#request = request;
  }

  /**
   * The next bytes: events, or what keeps the connection open while there are none. `undefined` at the end, and as soon
   * as the client has left, even when the agent hangs. Never rejects.
   */
  async next(): Promise<Bytes> {
    this.#pending ??= this.#advance();
    const { keepAlive } = this.#request.encoder;
    const bytes = keepAlive === undefined ? await this.#pending : await this.#orAfterSilence(this.#pending, keepAlive);
    if (bytes !== keepAlive || keepAlive === undefined) this.#pending = undefined;
    return bytes;
  }

  /** The client has left: the run's signal fires and the agent is told to return, without waiting for what it is doing. */
  close(): void {
    if (this.#over) return;
    this.#queue.length = 0;
    this.#abandon();
    this.#wake();
  }

  async #orAfterSilence(pending: Promise<Bytes>, keepAlive: Uint8Array): Promise<Bytes> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<Uint8Array>((resolve) => {
      timer = setTimeout(resolve, this.#request.keepAliveMs, keepAlive);
    });
    try {
      return await Promise.race([pending, silence]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #advance(): Promise<Bytes> {
    while (this.#queue.length === 0 && !this.#over) {
      try {
        this.#take(await this.#step());
      } catch (error) {
        this.#request.log.error('The run failed outside the agent', error);
        this.#end(error instanceof RunError ? error : runErrorWithMessage('STRANDS_ERROR', FAILED, error));
      }
    }
    return this.#queue.shift();
  }

  /** The agent's next event; `undefined` when the client left first. */
  #step(): Promise<Step | undefined> {
    const { agent, input, principal, headers } = this.#request;
    this.#events ??= agent.run(input, { principal, headers, signal: this.#left.signal });
    const next = this.#events.next();
    return new Promise((resolve, reject) => {
      this.#wake = () => resolve(undefined);
      next.then(resolve, reject);
    });
  }

  #take(step: Step | undefined): void {
    if (step === undefined) return;
    if (step.done === true) this.#end(runErrorWithMessage('STRANDS_ERROR', CUT_SHORT));
    else if (!this.#finished) this.#send(step.value);
  }

  #send(event: BaseEvent): void {
    try {
      this.#encode(event);
    } catch (error) {
      this.#request.log.error('An event of the run could not be encoded', error);
      this.#end(new RunError('ENCODING_ERROR', [describe(error)], { cause: error }));
      this.#abandon();
    }
  }

  #encode(event: BaseEvent): void {
    const { encoder, input } = this.#request;
    const shown = eventForClient(event, input.protocolVersion);
    if (shown !== undefined) this.#queue.push(encoder.encode(shown));
    if (event.type === RUN_STARTED) this.#started = true;
    if (event.type === RUN_FINISHED || event.type === RUN_ERROR) this.#finished = true;
  }

  /** The run is over. A client that was not told how it ended is told so. */
  #end({ code, message }: RunError): void {
    if (this.#over) return;
    this.#over = true;
    const { threadId, runId } = this.#request.input;
    try {
      if (!this.#started) this.#encode({ type: RUN_STARTED, threadId, runId });
      if (!this.#finished) this.#encode({ type: RUN_ERROR, message, code });
    } catch (error) {
      this.#request.log.error('The end of the run could not be encoded', error);
    }
    void this.#release();
  }

  #abandon(): void {
    this.#over = true;
    this.#left.abort();
    void this.#release();
  }

  /** `return()` of a generator waits for what the generator is doing, so nobody waits for it. */
  async #release(): Promise<void> {
    const events = this.#events;
    this.#events = undefined;
    try {
      await events?.return(undefined);
    } catch (error) {
      this.#request.log.debug('The run failed after its end', error);
    }
  }
}

type Bytes = Uint8Array | undefined;
type Step = IteratorResult<BaseEvent, unknown>;

function describe(error: unknown): string {
  try {
    return String(error);
  } catch {
    return errorText(error);
  }
}
