import { Agent } from '@strands-agents/sdk';
import { ConfigError, ParkingApprover } from 'strands-tau';
import { buildAgent, guardTool } from 'strands-tau/strands';
import { ScriptedModel, type ScriptedTurn } from 'strands-tau/testing';
import { expect, it } from 'vitest';
import { StrandsAgent } from '../../src/ag-ui/index.ts';
import { call, DONE, held, house, rest, unlock, until } from '../support/strands.ts';
import { ANN, BOB, served, user } from './support/served.ts';
import { endOf, resultsOf, yes } from './support/wire.ts';

it('[S20, B1] an agent used as a tool serves one person after the other, with an answer in between', async () => {
  const home = house();
  const hold = held<ScriptedTurn>();
  const model = new ScriptedModel([[unlock('back', 'i1')], () => hold.promise, [{ text: 'opened for ann' }]]);
  const worker = new Agent({ model, tools: home.tools, name: 'worker', description: 'Works.', printer: false });
  const turns = [[call('worker', { input: 'ANN: 1234' })], [call('worker', { input: 'BOB' })], DONE, DONE];
  const s = await served(turns, { house: home, tools: [guardTool(worker.asTool(), { tier: 0 })] });
  const stopped = await s.run({ threadId: 'a' }, { principal: ANN });
  const bobs = s.run({ threadId: 'b', messages: [user('hello')] }, { principal: BOB });
  await until(() => model.calls.length === 2);
  const anns = s.run({ threadId: 'a', resume: yes(stopped) }, { principal: ANN });
  await rest();
  hold.settle([{ text: 'hello bob' }]);
  expect([resultsOf(await bobs)[0]?.[1], resultsOf(await anns)[0]?.[1]]).toEqual(['hello bob', 'opened for ann']);
  expect([endOf(await bobs), endOf(await anns)]).toEqual(['success', 'success']);
  expect(JSON.stringify(model.calls[1])).not.toContain('1234');
  expect(s.started()).toEqual(['unlock_door {"door":"back"}']);
});

it('[S20] an agent used as a tool that keeps its context is not served to threads, at any depth', async () => {
  const agent = (name: string, tools: Agent['tools']): Agent =>
    new Agent({ model: new ScriptedModel([]), name, description: 'Works.', tools, printer: false });
  for (const deep of [false, true]) {
    const kept = guardTool(agent('bottom', []).asTool({ preserveContext: true }), { tier: 0 });
    const tools = [deep ? guardTool(agent('middle', [kept]).asTool(), { tier: 0 }) : kept];
    const served = await buildAgent({ model: new ScriptedModel([]), tools, approver: new ParkingApprover() });
    const bridge = () => new StrandsAgent({ agent: served, name: 'house' });
    expect(bridge).toThrow(ConfigError);
    expect(bridge).toThrow(/'bottom' is an agent that keeps its context.*preserveContext/);
  }
});
