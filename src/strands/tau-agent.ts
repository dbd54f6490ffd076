import type { Agent, ContentBlock } from '@strands-agents/sdk';
import type { Principal } from '../core/call.ts';
import { TauError } from '../core/errors.ts';
import type { TierGate } from '../core/gate.ts';
import { cancellable } from './cancellable.ts';
import { wake } from './checkpoint.ts';
import { endDamagedTurn } from './damaged-turn.ts';
import { resumeRun, startRun } from './run.ts';
import { keepParts, type TauAgentParts } from './tau-agent-parts.ts';
import { runTurn, type TurnInput } from './turn.ts';
import type { TurnEvent } from './turn-event.ts';

/** How one turn is run. */
export interface StreamOptions {
  /** Cancels the turn: the model call is aborted, open questions are withdrawn, no tool starts afterwards. */
  readonly signal?: AbortSignal;
  /** Who asks; by the default policy the one who may approve. */
  readonly principal?: Principal;
  /** Name of the conversation in approvals; default the agent's own. */
  readonly conversation?: string;
  /**
   * Names of the tools that this turn may use; absent means all. A call of another one is refused as if there were none, but
   * the model is still offered it: give the agent fewer tools, or serve it with a `templateToolsProvider`, to hide them.
   */
  readonly visible?: readonly string[];
}

/** How a parked turn goes on. */
export interface ResumeOptions {
  readonly signal?: AbortSignal;
  readonly conversation?: string;
  /** Who goes on, with the roles of today; default whoever it was when the turn parked, with the roles of then. */
  readonly principal?: Principal;
}

/** A guarded agent, one user turn at a time. Made by `buildAgent`. */
export class TauAgent {
  /** The SDK's agent. Its tools are guarded whoever calls it. */
  readonly agent: Agent;
  readonly gate: TierGate;
  readonly #parts: TauAgentParts;
  #busy = false;
  /** The conversation of the last turn. */
  #last: string | undefined;

  constructor(parts: TauAgentParts) {
    this.agent = parts.agent;
    this.gate = parts.gate;
    this.#parts = parts;
    keepParts(this, parts);
  }

  /**
   * Runs one user turn. Leaving the stream early cancels the turn: nothing runs afterwards.
   *
   * @throws TauError when the agent is busy (`busy`), the conversation waits for an approval (`parked`), or the prompt
   *   holds anything but content (`invalid_prompt`): answers to questions go to the approval store.
   */
  stream(prompt: string | ContentBlock[], options: StreamOptions = {}): AsyncGenerator<TurnEvent, void, undefined> {
    const input = checkedPrompt(prompt);
    return this.#turn(options, async () => {
      const { conversation = this.#parts.conversation, principal } = options;
      const visible = options.visible === undefined ? undefined : new Set(options.visible);
      await this.#refuseWhileParked(conversation);
      return { input, run: startRun(this.#parts, { conversation, principal, visible }) };
    });
  }

  /**
   * Goes on with a parked turn. Calls whose question is still open are parked again.
   *
   * @throws TauError when the agent is busy (`busy`), nothing is parked (`not_parked`), or what is parked is not what was
   *   stored (`store`): it is ended, nothing of it was run.
   */
  resume(options: ResumeOptions = {}): AsyncGenerator<TurnEvent, void, undefined> {
    return this.#turn(options, async () => {
      const { conversation = this.#parts.conversation, principal } = options;
      const damaged = await endDamagedTurn(this.gate, conversation);
      if (damaged !== undefined) throw damaged;
      const run = await resumeRun(this.#parts, conversation, { principal });
      if (run?.resumed === undefined) throw new TauError('not_parked', 'this conversation does not wait for anything');
      return { input: wake(this.agent, run.resumed.pending), run };
    });
  }

  /** The agent has one history, whatever its conversations are called: what it waits for would be lost. */
  async #refuseWhileParked(conversation: string): Promise<void> {
    for (const name of new Set([conversation, this.#parts.conversation, this.#last ?? conversation])) {
      if ((await this.gate.store.parked(name)) === undefined) continue;
      if ((await endDamagedTurn(this.gate, name)) !== undefined) continue;
      throw new TauError('parked', `conversation '${name}' waits for an approval; decide it and call resume() first`);
    }
    this.#last = conversation;
  }

  #turn(
    options: { readonly signal?: AbortSignal },
    begin: () => Promise<Pick<TurnInput, 'run' | 'input'>>,
  ): AsyncGenerator<TurnEvent, void, undefined> {
    const controller = new AbortController();
    const turn = runTurn({
      enter: () => this.#enter(),
      begin: async () => {
        const { signal: given } = options;
        const { run, input } = await begin();
        const signal = given === undefined ? controller.signal : AbortSignal.any([controller.signal, given]);
        const { language, outputTool } = this.#parts;
        return { agent: this.agent, run, input, signal, language, outputTool };
      },
      leave: () => {
        this.#busy = false;
      },
    });
    return cancellable(turn, controller);
  }

  /** One turn at a time, and never beside somebody who drives the SDK's agent directly. */
  #enter(): void {
    if (this.#busy || this.agent.isInvoking)
      throw new TauError('busy', 'the agent is in the middle of a turn; wait for its end event');
    this.#busy = true;
  }
}

/** Kinds of blocks that a user can say. A call or a result among them would say what was asked, run or answered. */
const CONTENT: ReadonlySet<unknown> = new Set([
  'textBlock',
  'imageBlock',
  'videoBlock',
  'audioBlock',
  'documentBlock',
  'cachePointBlock',
  'guardContentBlock',
]);

/** The prompt as it is now; whoever made it may change it later. */
function checkedPrompt(prompt: string | ContentBlock[]): string | ContentBlock[] {
  if (typeof prompt === 'string') return prompt;
  const blocks = Array.isArray(prompt) ? [...prompt] : [];
  if (blocks.length > 0 && blocks.every((block) => isContentBlock(block))) return blocks;
  throw new TauError(
    'invalid_prompt',
    'a prompt is text or content blocks; answers to questions go to the approval store',
  );
}

function isContentBlock(block: unknown): boolean {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false;
  return CONTENT.has(block.type) && !('interruptResponse' in block) && !('role' in block) && !('toolResult' in block);
}
