import type { JSONValue } from '../../../core/json.ts';
import type { ToolInput } from './intent.ts';
import type { Phrasebook, ToolHint } from './phrasebook.ts';
import { numberOf, textOf, textsOf } from './results.ts';

type Done = (input: ToolInput, data: JSONValue) => string | undefined;

const DOORS: ReadonlyMap<unknown, { readonly name: string; readonly object: string; readonly lock: string }> = new Map([
  ['front', { name: 'Ön kapı', object: 'Ön kapıyı', lock: 'Ön kapının kilidini' }],
  ['back', { name: 'Arka kapı', object: 'Arka kapıyı', lock: 'Arka kapının kilidini' }],
]);
const STATES: ReadonlyMap<unknown, string> = new Map([
  ['locked', 'kilitli'],
  ['unlocked', 'kilitli değil'],
]);

const DONE: ReadonlyMap<string, Done> = new Map<string, Done>([
  ['read_thermostat', (_input, data) => given(numberOf(data, 'celsius'), (celsius) => `Sıcaklık ${degrees(celsius)}.`)],
  [
    'set_thermostat',
    (_input, data) => given(numberOf(data, 'celsius'), (c) => `Isıtma ${degrees(c)} olarak ayarlandı.`),
  ],
  ['read_lock', (_input, data) => doorState(data)],
  ['unlock_door', (_input, data) => doorState(data, 'artık ')],
  ['lock_door', (_input, data) => doorState(data, 'artık ')],
  ['add_note', (_input, data) => given(textOf(data, 'added'), (text) => `Not aldım: “${text}”.`)],
  ['read_notes', (_input, data) => given(textsOf(data, 'notes'), notes)],
  ['delete_notes', (_input, data) => given(numberOf(data, 'deleted'), deleted)],
  ['run_shell', ({ command }, data) => given(textOf(data, 'output'), (output) => ran(String(command), output))],
]);

const NOT_DONE: ReadonlyMap<string, (input: ToolInput) => string> = new Map<string, (input: ToolInput) => string>([
  ['unlock_door', ({ door }) => `${DOORS.get(door)?.lock ?? 'Kapının kilidini'} açmadım`],
  ['lock_door', ({ door }) => `${DOORS.get(door)?.object ?? 'Kapıyı'} kilitlemedim`],
  ['delete_notes', () => 'Notları silmedim'],
  ['run_shell', ({ command }) => `\`${command}\` komutunu çalıştırmadım`],
]);

const SAID: Readonly<Record<Exclude<Parameters<Phrasebook['say']>[0], 'help' | 'unknown'>, string>> = {
  greet: 'Merhaba! Sizin için ne yapabilirim? “yardım” yazarsanız neleri anladığımı gösteririm.',
  thanks: 'Rica ederim.',
  bye: 'Hoşça kalın. “/quit” programdan çıkar.',
  declined: 'Peki, yapmıyorum.',
};

/** What the demo model says in Turkish. */
export const turkish: Phrasebook = {
  done: (tool, input, data) => DONE.get(tool)?.(input, data),
  finished: (tool, text) => (text === '' ? `${tool} tamamlandı.` : `${tool} yanıtladı: ${text}`),
  notDone: (tool, input) => `${NOT_DONE.get(tool)?.(input) ?? `${tool} aracını çalıştırmadım`}: onay verilmedi.`,
  reason: (reason) => `Belirtilen neden: ${reason}`,
  failed: (tool, problem) => `${tool} çalışmadı: ${problem}`,
  unavailable: (tool) => `Bunu burada yapamam: ${tool} diye bir araç yok.`,
  noteOf(tool, data) {
    if (tool === 'read_thermostat')
      return given(numberOf(data, 'celsius'), (celsius) => `Sıcaklık: ${degrees(celsius)}`);
    if (tool === 'read_lock' || tool === 'unlock_door' || tool === 'lock_door')
      return doorState(data)?.replace(/\.$/, '');
    return tool === 'run_shell' ? textOf(data, 'output')?.trim() : undefined;
  },
  ask(question) {
    switch (question.about) {
      case 'door':
        return question.tool === 'unlock_door'
          ? 'Hangi kapının kilidini açayım: ön mü, arka mı?'
          : 'Hangi kapıyı kilitleyeyim: ön mü, arka mı?';
      case 'celsius':
        return 'Kaç derece olsun?';
      case 'note':
        return 'Notta ne yazsın?';
      case 'arguments':
        return `${question.tool} için şunlar eksik: ${question.missing.join(', ')}.`;
      default:
        return question satisfies never;
    }
  },
  say(topic, tools) {
    if (topic === 'help') return help(tools);
    return topic === 'unknown' ? `Bunu anlamadım. ${help(tools)}` : SAID[topic];
  },
};

function given<T>(value: T | undefined, phrase: (value: T) => string): string | undefined {
  return value === undefined ? undefined : phrase(value);
}

function degrees(celsius: number): string {
  return `${String(celsius).replace('.', ',')} °C`;
}

function doorState(data: JSONValue, now = ''): string | undefined {
  const door = DOORS.get(textOf(data, 'door'));
  const state = STATES.get(textOf(data, 'state'));
  return door === undefined || state === undefined ? undefined : `${door.name} ${now}${state}.`;
}

function notes(texts: readonly string[]): string {
  if (texts.length === 0) return 'Hiç not yok.';
  return `Notlarınız:\n${texts.map((text, index) => `${index + 1}. ${text}`).join('\n')}`;
}

function deleted(count: number): string {
  return count === 0 ? 'Silinecek not yoktu.' : `${count} not silindi.`;
}

function ran(command: string, output: string): string {
  return output.trim() === ''
    ? `\`${command}\` bir şey yazdırmadı.`
    : `\`${command}\` şunu yazdırdı:\n${output.trimEnd()}`;
}

const WORLD_HELP = [
  'ön kapıyı aç',
  'arka kapı kilitli mi?',
  'sıcaklık kaç ve onu not al',
  'sıcaklığı 22 yap',
  'not al: süt al',
  'notlarımı göster',
  'notları sil',
  '`ls` çalıştır',
];

function help(tools: readonly ToolHint[]): string {
  const world = tools.some(({ known }) => known) ? WORLD_HELP : [];
  const named = tools.filter(({ known }) => !known).map(({ name, description }) => `${name} kullan (${description})`);
  const lines = [...world, ...named].map((line) => `- ${line}`);
  return lines.length === 0
    ? 'Burada hiç aracım yok, yalnızca konuşabilirim. Ben küçük bir gösteri modeliyim.'
    : `Ben küçük bir gösteri modeliyim; şunları deneyin:\n${lines.join('\n')}`;
}
