/** How many calls there are in a turn, how many turns one agent lives, how many agents a batch has. */
export interface Load {
  readonly callsPerTurn: number;
  readonly turnsPerAgent: number;
  readonly agents: number;
}

/** All tool calls of one agent. */
export function callsPerAgent({ callsPerTurn, turnsPerAgent }: Load): number {
  return callsPerTurn * turnsPerAgent;
}

/** One agent, ready for its turns. */
export interface Subject {
  turn(): AsyncIterable<unknown>;
  /** How often the tool's body has run. */
  ran(): number;
}

/** Runs all turns of all agents, and fails when not every call ran exactly once: a refused call would be a cheap one. */
export async function runTurns(subjects: readonly Subject[], load: Load): Promise<void> {
  for (const subject of subjects) {
    for (let turn = 0; turn < load.turnsPerAgent; turn++) await consume(subject.turn());
    if (subject.ran() !== callsPerAgent(load)) {
      throw new Error(
        `The tool ran ${subject.ran()} times instead of ${callsPerAgent(load)}; the numbers mean nothing`,
      );
    }
  }
}

async function consume(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}
