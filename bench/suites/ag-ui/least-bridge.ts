import type { AgentStreamEvent } from '@strands-agents/sdk';

/** What a bridge makes of a piece. */
interface Piece {
  readonly type: 'TEXT_MESSAGE_CONTENT' | 'TOOL_CALL_ARGS';
  readonly id: string;
  readonly delta: string;
}

/**
 * The least that a bridge has to do: it makes an event of each piece, and can answer whoever waits before the agent does.
 * It knows no threads, closes nothing and frees nothing; what it costs, none can save.
 */
export class LeastBridge implements AsyncIterableIterator<Piece, void> {
  readonly #stream: AsyncGenerator<AgentStreamEvent, unknown, undefined>;
  #answer: (next: IteratorResult<Piece, void>) => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(stream: AsyncGenerator<AgentStreamEvent, unknown, undefined>) {
    this.#stream = stream;
  }

  next(): Promise<IteratorResult<Piece, void>> {
    return new Promise((answer, fail) => {
      this.#answer = answer;
      this.#fail = fail;
      this.#ask();
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #ask(): void {
    this.#stream.next().then(this.#take, this.#fail);
  }

  readonly #take = (next: IteratorResult<AgentStreamEvent, unknown>): void => {
    if (next.done === true) return this.#answer({ done: true, value: undefined });
    const piece = pieceOf(next.value);
    if (piece === undefined) this.#ask();
    else this.#answer({ done: false, value: piece });
  };
}

function pieceOf(event: AgentStreamEvent): Piece | undefined {
  if (event.type !== 'modelStreamUpdateEvent' || event.event.type !== 'modelContentBlockDeltaEvent') return undefined;
  const { delta } = event.event;
  switch (delta.type) {
    case 'textDelta':
      return { type: 'TEXT_MESSAGE_CONTENT', id: 'message', delta: delta.text };
    case 'toolUseInputDelta':
      return { type: 'TOOL_CALL_ARGS', id: 'call', delta: delta.input };
    default:
      return undefined;
  }
}
