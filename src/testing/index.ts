export type { ChannelDriver } from './channel-contract/driver.ts';
export { channelContract } from './channel-contract.ts';
export { ManualClock } from './manual-clock.ts';
export { type ScriptedAnswer, ScriptedApprover } from './scripted-approver.ts';
export {
  type AnswerResult,
  ScriptedChannel,
  type ScriptedDelivery,
  type ScriptedReply,
} from './scripted-channel.ts';
export { type ModelCall, ScriptedModel } from './scripted-model.ts';
export type { ScriptedBlock, ScriptedMessage, ScriptedTurn, TurnFunction } from './scripted-turn.ts';
export type { ContractRunner } from './store-contract/suite.ts';
export { type StoreContractOptions, storeContract } from './store-contract.ts';
