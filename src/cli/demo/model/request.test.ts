import { describe, expect, test } from 'vitest';
import type { Action } from './action.ts';
import { offeredTool } from './offered-tools.ts';
import { planRequest } from './request.ts';

const ANSWER = 'It is 21 °C.';

/** The plan for the last of some messages, in short: `unlock_door front`, `ask door`, `say help`. */
function planOf(...requests: readonly string[]): readonly string[] {
  const exchanges = requests.map((request) => ({ request, answer: ANSWER }));
  return planRequest(exchanges, [], 'en').actions.map(short);
}

function short(action: Action): string {
  switch (action.kind) {
    case 'call':
      return [action.tool, ...Object.values(action.input)].join(' ');
    case 'note_previous':
      return 'note what came out';
    case 'ask':
      return `ask ${action.question.about}`;
    case 'say':
      return `say ${action.topic}`;
    default:
      return action satisfies never;
  }
}

const SENTENCES: readonly (readonly [sentence: string, ...plan: string[]])[] = [
  ['unlock the front door', 'unlock_door front'],
  ['please open the back door', 'unlock_door back'],
  ['Could you unlock the front door, please?', 'unlock_door front'],
  ['UNLOCK THE FRONT DOOR!', 'unlock_door front'],
  ['unlock both doors', 'unlock_door front', 'unlock_door back'],
  ['unlock the front and back doors', 'unlock_door front', 'unlock_door back'],
  ['unlock the front door and then lock it', 'unlock_door front', 'lock_door front'],
  ['unlock the front door and the back door and run ls', 'unlock_door front', 'unlock_door back', 'run_shell ls'],
  ['hi, unlock the front door, thanks', 'unlock_door front'],
  ['close the back door', 'lock_door back'],
  ['open the door', 'ask door'],
  ['is the front door locked?', 'read_lock front'],
  ['did you unlock the front door?', 'read_lock front'],
  ['are the doors open?', 'read_lock front', 'read_lock back'],
  ['check the back door', 'read_lock back'],
  ["what's the temperature and note it down", 'read_thermostat', 'note what came out'],
  ['What is the temperature? Note it down.', 'read_thermostat', 'note what came out'],
  ['write down the temperature', 'read_thermostat', 'note what came out'],
  ['how warm is it', 'read_thermostat'],
  ['set the heating to 22.5 degrees', 'set_thermostat 22.5'],
  ['set it to -5', 'set_thermostat -5'],
  ['make it warmer', 'ask celsius'],
  ['note: buy milk and eggs', 'add_note buy milk and eggs'],
  ['note buy milk, bread and unlock the back door', 'add_note buy milk, bread', 'unlock_door back'],
  ['take a note: do not forget the milk', 'add_note do not forget the milk'],
  ['add "lock the door and run" to my notes', 'add_note lock the door and run'],
  ['remember to call mum', 'add_note call mum'],
  ['take a note', 'ask note'],
  ['show my notes', 'read_notes'],
  ['delete the notes', 'delete_notes'],
  ['run ls', 'run_shell ls'],
  ['run `rm -rf /`', 'run_shell rm -rf /'],
  ['run rm -rf /', 'run_shell rm -rf /'],
  ['run rm -rf / and tell me', 'run_shell rm -rf /'],
  ['run `echo lock the front door and unlock it`', 'run_shell echo lock the front door and unlock it'],
  ['run ls and then unlock the front door', 'run_shell ls', 'unlock_door front'],
  ["don't unlock the front door", 'say declined'],
  ['do not run ls', 'say declined'],
  ['never open the back door', 'say declined'],
  ['hello', 'say greet'],
  ['help', 'say help'],
  ['what can you do?', 'say help'],
  ['thank you', 'say thanks'],
  ['make me a sandwich', 'say unknown'],
  ['y', 'say unknown'],
  ['', 'say unknown'],

  ['kapıyı aç', 'ask door'],
  ['ön kapıyı aç', 'unlock_door front'],
  ['on kapiyi ac', 'unlock_door front'],
  ['ÖN KAPIYI AÇ', 'unlock_door front'],
  ['ARKA KAPIYI KİLİTLE', 'lock_door back'],
  ['ön kapıyı açar mısın?', 'unlock_door front'],
  ['arka kapının kilidini aç lütfen', 'unlock_door back'],
  ['ön ve arka kapıyı aç', 'unlock_door front', 'unlock_door back'],
  ['ön kapıyı aç sonra kilitle', 'unlock_door front', 'lock_door front'],
  ['arka kapıyı kilitle', 'lock_door back'],
  ['ön kapı kilitli mi?', 'read_lock front'],
  ['kapılar kilitli mi', 'read_lock front', 'read_lock back'],
  ['sıcaklık kaç', 'read_thermostat'],
  ['sıcaklık kaç ve onu not al', 'read_thermostat', 'note what came out'],
  ['sıcaklığı not al', 'read_thermostat', 'note what came out'],
  ['sıcaklığı 22 yap', 'set_thermostat 22'],
  ["termostatı 20'ye getir", 'set_thermostat 20'],
  ['sıcaklığı 22,5 dereceye ayarla', 'set_thermostat 22.5'],
  ['kapıyı kilitle ve sıcaklığı 20 yap', 'set_thermostat 20', 'ask door'],
  ['not al: süt al', 'add_note süt al'],
  ['süt al diye not al', 'add_note süt al'],
  ['notlara ekmek ekle', 'add_note ekmek'],
  ['notlarımı göster', 'read_notes'],
  ['notları sil', 'delete_notes'],
  ['ls çalıştır', 'run_shell ls'],
  ['`rm -rf /` komutunu çalıştır', 'run_shell rm -rf /'],
  ['ön kapıyı açma', 'say declined'],
  ['ls çalıştırma', 'say declined'],
  ['merhaba', 'say greet'],
  ['yardım', 'say help'],
  ['teşekkürler', 'say thanks'],
  ['bana bir pizza söyle', 'say unknown'],
];

describe('one sentence', () => {
  test.each(SENTENCES)('"%s" is planned', (sentence, ...plan) => {
    expect(planOf(sentence)).toEqual(plan);
  });
});

describe('a sentence after others', () => {
  test.each([
    [['open the door', 'the back one'], ['unlock_door back']],
    [
      ['open the door', 'both'],
      ['unlock_door front', 'unlock_door back'],
    ],
    [['open the door', 'never mind'], ['say declined']],
    [['open the door', 'is the front door locked?'], ['read_lock front']],
    [['is the front door locked?', 'then unlock it'], ['unlock_door front']],
    [['make it warmer', '23'], ['set_thermostat 23']],
    [['take a note', 'buy milk'], ['add_note buy milk']],
    [["what's the temperature", 'note it down'], [`add_note ${ANSWER}`]],
    [['kapıyı aç', 'arkadaki'], ['unlock_door back']],
    [['kapıyı aç', 'vazgeç'], ['say declined']],
    [['hello', 'the back one'], ['say unknown']],
  ])('%j', (requests, plan) => {
    expect(planOf(...requests)).toEqual(plan);
  });
});

describe('the language of the answer', () => {
  test.each([
    ['unlock the front door', 'en'],
    ['ön kapıyı aç', 'tr'],
    ['on kapiyi ac', 'tr'],
    ['run `ls`', 'en'],
    ['`ls` çalıştır', 'tr'],
  ] as const)('"%s" is answered in %s', (request, language) => {
    expect(planRequest([{ request, answer: '' }], [], language === 'en' ? 'tr' : 'en').language).toBe(language);
  });

  test('words that do not tell keep the language of before', () => {
    const exchanges = ['ön kapıyı aç', '`ls`'].map((request) => ({ request, answer: '' }));
    expect(planRequest(exchanges, [], 'en').language).toBe('tr');
  });
});

describe('a tool that is known only by its spec', () => {
  const water = offeredTool({
    name: 'water_plants',
    description: 'Waters plants.',
    inputSchema: {
      type: 'object',
      properties: {
        litres: { type: 'number' },
        room: { type: 'string', enum: ['kitchen', 'hall'] },
        note: { type: 'string' },
        often: { type: 'number', default: 1 },
      },
      required: ['litres', 'room', 'often'],
    },
  });
  const plan = (...requests: readonly string[]): readonly Action[] =>
    planRequest(
      requests.map((request) => ({ request, answer: '' })),
      [water],
      'en',
    ).actions;

  test.each([
    ['water the plants in the kitchen with 2 litres', { litres: 2, room: 'kitchen' }],
    ['water_plants litres=2 room=hall note="not too much"', { litres: 2, room: 'hall', note: 'not too much' }],
    ['use water_plants {"litres":1,"room":"hall"}', { litres: 1, room: 'hall' }],
  ])('%s', (request, input) => {
    expect(plan(request)).toEqual([{ kind: 'call', tool: 'water_plants', input }]);
  });

  test('what is missing is asked for, and the answer completes the call', () => {
    expect(plan('water the plants in the hall')).toEqual([
      {
        kind: 'ask',
        question: { about: 'arguments', tool: 'water_plants', input: { room: 'hall' }, missing: ['litres'] },
      },
    ]);
    expect(plan('water the plants in the hall', '3')).toEqual([
      { kind: 'call', tool: 'water_plants', input: { room: 'hall', litres: 3 } },
    ]);
  });
});
