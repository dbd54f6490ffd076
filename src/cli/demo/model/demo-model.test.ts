import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '@strands-agents/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { buildAgent, type TauAgent, type TurnEvent } from '../../../strands/index.ts';
import { type ScriptedAnswer, ScriptedApprover } from '../../../testing/index.ts';
import { demoTools } from '../tools.ts';
import { DemoWorld } from '../world.ts';
import { DemoModel } from './demo-model.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A demo house with an agent in it, and a person who answers from a script. */
async function house(
  answers: readonly ScriptedAnswer[],
): Promise<{ agent: TauAgent; ran: () => readonly string[]; say: (text: string) => Promise<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'tau-demo-'));
  folders.push(folder);
  const agent = await buildAgent({
    model: new DemoModel(),
    tools: demoTools(new DemoWorld(folder), 'en'),
    approver: new ScriptedApprover(answers),
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  return { agent, ran: () => startedIn(folder), say: (text) => answerOf(agent, text) };
}

function startedIn(folder: string): readonly string[] {
  const lines = readFileSync(join(folder, 'world.log'), { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => `${JSON.parse(line).tool} ${JSON.stringify(JSON.parse(line).arguments)}`);
}

async function answerOf(agent: TauAgent, text: string, signal?: AbortSignal): Promise<string> {
  let answer = '';
  for await (const event of agent.stream(text, signal === undefined ? {} : { signal })) answer += textIn(event);
  return answer;
}

function textIn(event: TurnEvent): string {
  return event.type === 'text' ? event.text : '';
}

describe('the answer tells only what the tools report', () => {
  test('an approved door is reported as unlocked', async () => {
    const { say, ran } = await house(['approved']);
    expect(await say('unlock the front door')).toBe('The front door is now unlocked.');
    expect(ran()).toEqual(['unlock_door {"door":"front"}']);
  });

  test('a refused call is reported as not done, with the reason that was given', async () => {
    const { say, ran } = await house([{ decision: 'rejected', reason: 'it is night' }]);
    expect(await say('unlock the front door')).toBe(
      'I did not unlock the front door: it was not approved. The reason given: it is night',
    );
    expect(ran()).toEqual([]);
  });

  test('the answer is in the language of the question', async () => {
    const { say } = await house(['rejected', 'approved']);
    expect(await say('ön kapıyı aç')).toBe('Ön kapının kilidini açmadım: onay verilmedi.');
    expect(await say('arka kapıyı aç')).toBe('Arka kapı artık kilitli değil.');
  });

  test('input that the tool does not take is reported, and nobody is asked', async () => {
    const { say, ran } = await house([]);
    expect(await say('set the temperature to 100')).toMatch(/^set_thermostat did not work: The input .* is not valid/);
    expect(ran()).toEqual([]);
  });
});

describe('several requests', () => {
  test('the result of the first tool is what the second one notes', async () => {
    const { say, ran } = await house([]);
    expect(await say("what's the temperature and note it down")).toBe('It is 21 °C.\nNoted: “Temperature: 21 °C”.');
    expect(ran()).toEqual(['read_thermostat {}', 'add_note {"text":"Temperature: 21 °C"}']);
  });

  test('one no does not stop the others, but stops what builds on it', async () => {
    const { say, ran } = await house(['rejected', 'approved']);
    expect(await say('run ls and note it down and lock the back door')).toBe(
      'I did not run `ls`: it was not approved.\nThe back door is now locked.',
    );
    expect(ran()).toEqual(['lock_door {"door":"back"}']);
  });

  test('the conversation goes on over several messages', async () => {
    const { say, ran } = await house(['approved']);
    expect(await say('open the door')).toBe('Which door should I unlock: front or back?');
    expect(await say('the back one')).toBe('The back door is now unlocked.');
    expect(await say('is it locked?')).toBe('The back door is unlocked.');
    expect(ran()).toEqual(['unlock_door {"door":"back"}', 'read_lock {"door":"back"}']);
  });
});

test('a tool that is not offered is not asked for', async () => {
  const agent = await buildAgent({ model: new DemoModel(), tools: [], approver: new ScriptedApprover([]) });
  expect(await answerOf(agent, 'unlock the front door')).toBe('I cannot do that here: there is no tool unlock_door.');
});

describe('the stream', () => {
  const events = async (model: DemoModel, signal?: AbortSignal): Promise<readonly string[]> => {
    const messages: Message[] = [];
    const types: string[] = [];
    for await (const event of model.stream(messages, signal === undefined ? {} : { cancelSignal: signal }))
      types.push(event.type === 'modelContentBlockDeltaEvent' ? 'delta' : event.type.replace(/^model|Event$/g, ''));
    return types;
  };

  test('comes word by word and ends with its usage', async () => {
    const types = await events(new DemoModel());
    expect(types.filter((type) => type === 'delta').length).toBeGreaterThan(3);
    expect(types.filter((type) => type !== 'delta')).toEqual([
      'MessageStart',
      'ContentBlockStart',
      'ContentBlockStop',
      'MessageStop',
      'Metadata',
    ]);
  });

  test('[S11] stops at once when it is cancelled', async () => {
    const started = performance.now();
    const types = await events(new DemoModel({ wordMs: 5_000 }), AbortSignal.timeout(30));
    expect(types.filter((type) => type === 'delta')).toHaveLength(1);
    expect(types.at(-2)).toBe('MessageStop');
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
