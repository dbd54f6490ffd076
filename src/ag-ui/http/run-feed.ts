import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../config.ts';
import type { EventEncoder } from '../encode/encoder.ts';
import { eventForClient } from '../encode/for-client.ts';
import { RunError, runErrorWithMessage } from '../run-error.ts';
import { RUN_ERROR, RUN_FINISHED, RUN_STARTED } from '../translate/events.ts';
import type { Caller } from './principal.ts';
import type { ServedAgent } from './served-agent.ts';
import { Silence } from './silence.ts';

/** One run on its way to one client. */
export interface RunRequest {
  readonly agent: ServedAgent;
  readonly input: RunAgentInput;
  readonly caller: Caller;
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
  readonly #silence: Silence | undefined;
  readonly #left = new AbortController();
  readonly #queue: Uint8Array[] = [];
  #events: AsyncGenerator<BaseEvent, unknown, unknown> | undefined;
  /** Whether the agent has been asked for an event that has not come. */
  #asked = false;
  /** Who waits for bytes. */
  #answer: ((bytes: Bytes) => void) | undefined;
  #started = false;
  #finished = false;
  #over = false;

  constructor(request: RunRequest) {
    this.#request = request;
    const { keepAlive } = request.encoder;
    this.#silence = keepAlive === undefined ? undefined : new Silence(request.keepAliveMs, () => this.#give(keepAlive));
  }

  /**
   * The next bytes: events, or what keeps the connection open while there are none. `undefined` at the end, and as soon
   * as the client has left, even when the agent hangs. Never rejects.
   */
  next(): Promise<Bytes> {
    return new Promise((answer) => {
      this.#answer = answer;
      this.#serve();
      if (this.#answer !== undefined) this.#silence?.begin();
    });
  }

  /** The client has left: the run's signal fires and the agent is told to return, without waiting for what it is doing. */
  close(): void {
    if (this.#over) return;
    this.#queue.length = 0;
    this.#abandon();
    this.#serve();
  }

  /** Gives whoever waits what there is; when there is nothing yet, asks the agent. */
  #serve(): void {
    if (this.#answer === undefined) return;
    if (this.#queue.length > 0 || this.#over) this.#give(this.#queue.shift());
    else if (!this.#asked) this.#ask();
  }

  #give(bytes: Bytes): void {
    const answer = this.#answer;
    this.#answer = undefined;
    this.#silence?.end();
    answer?.(bytes);
  }

  #ask(): void {
    this.#asked = true;
    const { agent, input, caller, headers } = this.#request;
    try {
      this.#events ??= agent.run(input, { ...caller, headers, signal: this.#left.signal });
      this.#events.next().then(this.#take, this.#fail);
    } catch (error) {
      this.#fail(error);
    }
  }

  // The same functions for every event: a run has thousands of them.
  readonly #take = (step: IteratorResult<BaseEvent, unknown>): void => {
    this.#asked = false;
    if (this.#over) return;
    if (step.done === true) this.#end(runErrorWithMessage('STRANDS_ERROR', CUT_SHORT));
    else if (!this.#finished) this.#send(step.value);
    this.#serve();
  };
  readonly #fail = (error: unknown): void => {
    this.#asked = false;
    if (this.#over) return;
    this.#request.log.error('The run failed outside the agent', error);
    this.#end(error instanceof RunError ? error : runErrorWithMessage('STRANDS_ERROR', FAILED, error));
    this.#serve();
  };

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
    this.#stop();
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
    this.#stop();
    this.#left.abort();
    void this.#release();
  }

  #stop(): void {
    this.#over = true;
    this.#silence?.stop();
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

function describe(error: unknown): string {
  try {
    return String(error);
  } catch {
    return errorText(error);
  }
}
