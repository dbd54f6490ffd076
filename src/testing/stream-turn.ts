import type { ContentBlockDelta, ModelStreamEvent, StopReason } from '@strands-agents/sdk';
import type { ScriptedBlock, ScriptedMessage, ScriptedTurn } from './scripted-turn.ts';

const DELTAS = 3;

/** The events of one answer, as a provider sends them: every text and every tool input in several pieces. */
export function* streamTurn(
  turn: Exclude<ScriptedTurn, Error>,
  nextToolUseId: () => string,
): Generator<ModelStreamEvent> {
  const { blocks, stopReason, usage = { inputTokens: 10, outputTokens: 5 } } = asMessage(turn);
  yield { type: 'modelMessageStartEvent', role: 'assistant' };
  for (const block of blocks) yield* streamBlock(block, nextToolUseId);
  yield { type: 'modelMessageStopEvent', stopReason: stopReason ?? naturalStop(blocks) };
  const { inputTokens, outputTokens } = usage;
  yield {
    type: 'modelMetadataEvent',
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    metrics: { latencyMs: 1 },
  };
}

function asMessage(turn: Exclude<ScriptedTurn, Error>): ScriptedMessage {
  return 'blocks' in turn ? turn : { blocks: turn };
}

function naturalStop(blocks: readonly ScriptedBlock[]): StopReason {
  return blocks.some((block) => 'toolUse' in block) ? 'toolUse' : 'endTurn';
}

function* streamBlock(block: ScriptedBlock, nextToolUseId: () => string): Generator<ModelStreamEvent> {
  if ('toolUse' in block) {
    const { name, input, toolUseId = nextToolUseId() } = block.toolUse;
    yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId } };
    yield* deltas(JSON.stringify(input), (piece) => ({ type: 'toolUseInputDelta', input: piece }));
  } else if ('reasoning' in block) {
    yield { type: 'modelContentBlockStartEvent' };
    yield* deltas(block.reasoning, (piece) => ({ type: 'reasoningContentDelta', text: piece }));
  } else {
    yield { type: 'modelContentBlockStartEvent' };
    yield* deltas(block.text, (piece) => ({ type: 'textDelta', text: piece }));
  }
  yield { type: 'modelContentBlockStopEvent' };
}

function* deltas(text: string, delta: (piece: string) => ContentBlockDelta): Generator<ModelStreamEvent> {
  const characters = [...text];
  const size = Math.max(Math.ceil(characters.length / DELTAS), 1);
  for (let i = 0; i < characters.length; i += size) {
    yield { type: 'modelContentBlockDeltaEvent', delta: delta(characters.slice(i, i + size).join('')) };
  }
}
