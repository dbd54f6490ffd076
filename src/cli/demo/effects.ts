import type { Language } from '../../core/i18n.ts';
import type { Door } from './world-state.ts';

/** What the demo tools say that a call will do, in the language of the person who is asked. */
export interface DemoEffects {
  readonly readThermostat: string;
  readonly readLock: (door: Door) => string;
  readonly readNotes: string;
  readonly addNote: string;
  readonly setThermostat: (celsius: number) => string;
  readonly deleteNotes: string;
  readonly unlockDoor: (door: Door) => string;
  readonly lockDoor: (door: Door) => string;
  readonly runShell: string;
}

const en: DemoEffects = {
  readThermostat: 'Reads the temperature.',
  readLock: (door) => `Looks whether the ${door} door is locked.`,
  readNotes: 'Reads the notes.',
  addNote: 'Adds one note; nothing else changes.',
  setThermostat: (celsius) => `Sets the heating to ${celsius} °C.`,
  deleteNotes: 'Deletes all notes. This cannot be undone.',
  unlockDoor: (door) => `Unlocks the ${door} door. Anybody can come in.`,
  lockDoor: (door) => `Locks the ${door} door. Nobody comes in without a key.`,
  runShell: 'Runs this command in the made-up shell of the demo world. No real file is touched.',
};

const sides: Readonly<Record<Door, string>> = { front: 'Ön', back: 'Arka' };

const tr: DemoEffects = {
  readThermostat: 'Sıcaklığı okur.',
  readLock: (door) => `${sides[door]} kapının kilitli olup olmadığına bakar.`,
  readNotes: 'Notları okur.',
  addNote: 'Bir not ekler; başka bir şey değişmez.',
  setThermostat: (celsius) => `Isıtmayı ${celsius} °C'ye ayarlar.`,
  deleteNotes: 'Bütün notları siler. Geri alınamaz.',
  unlockDoor: (door) => `${sides[door]} kapının kilidini açar. Herkes içeri girebilir.`,
  lockDoor: (door) => `${sides[door]} kapıyı kilitler. Anahtarsız kimse giremez.`,
  runShell: 'Bu komutu demo dünyasının uydurma kabuğunda çalıştırır. Gerçek hiçbir dosyaya dokunulmaz.',
};

/** The texts of one language. */
export const demoEffects: Readonly<Record<Language, DemoEffects>> = { en, tr };
