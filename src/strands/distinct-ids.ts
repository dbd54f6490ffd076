import { type Message, ToolUseBlock } from '@strands-agents/sdk';

/**
 * Gives each call of a message an id of its own, in place: a model may repeat one. The SDK keys results, interrupts and their
 * answers by it, so one answer would count for two calls, of which one was never shown.
 *
 * @returns The ids.
 */
export function giveDistinctIds({ content }: Message): ReadonlySet<string> {
  const seen = new Set<string>();
  for (const [index, block] of content.entries()) {
    if (block.type !== 'toolUseBlock') continue;
    const fresh = isUsableId(block.toolUseId) && !seen.has(block.toolUseId);
    const toolUseId = fresh ? block.toolUseId : `tau_${globalThis.crypto.randomUUID()}`;
    seen.add(toolUseId);
    if (!fresh) content[index] = renamed(block, toolUseId);
  }
  return seen;
}

/** An id that the SDK keys its checkpoint with; one with half a character could not be read back from a session. */
function isUsableId(id: string): boolean {
  return id !== '' && id !== '__proto__' && id.isWellFormed();
}

function renamed({ name, input, reasoningSignature }: ToolUseBlock, toolUseId: string): ToolUseBlock {
  const signed = reasoningSignature === undefined ? {} : { reasoningSignature };
  return new ToolUseBlock({ name, input, toolUseId, ...signed });
}
