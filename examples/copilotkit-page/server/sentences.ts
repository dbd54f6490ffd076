import type { Door } from './house.ts';

/** A tool that the model asks for. */
export interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, string>>;
}

/** A call that came back. */
export interface Finished {
  readonly name: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly text: string;
}

/** What the model says, and which tools it asks for along with it. */
export interface Answer {
  readonly text: string;
  readonly calls: readonly Call[];
}

const HELP =
  'I look after a made-up house. Ask me whether a door is locked, to lock or unlock the front door, the back door or ' +
  'both, or to show a text on the display, as in: show "Parcels to the back door" on the display.';

/** Reads a request. */
export function plan(request: string): Answer {
  const shown =
    /\bshow\b\s*["“](.+)["”]/isu.exec(request) ?? /\bshow\b:?\s+(.+?)(\s+on the display)?$/isu.exec(request);
  if (shown?.[1] !== undefined) {
    return { text: 'I will put it on the display.', calls: [{ name: 'show_on_display', input: { text: shown[1] } }] };
  }
  const action = actionIn(request);
  if (action === undefined) return { text: HELP, calls: [] };
  const doors = doorsIn(request);
  return { text: announced(action, doors), calls: doors.map((door) => ({ name: action, input: { door } })) };
}

/** Tells what came of the calls. */
export function report(finished: readonly Finished[]): string {
  return finished.map(reportOne).join(' ');
}

type Action = 'read_lock' | 'unlock_door' | 'lock_door';

function actionIn(request: string): Action | undefined {
  if (/\b(is|are|whether|check|look)\b/i.test(request)) return 'read_lock';
  if (/\b(unlock|open)\b/i.test(request)) return 'unlock_door';
  if (/\b(lock|close)\b/i.test(request)) return 'lock_door';
  return undefined;
}

function doorsIn(request: string): readonly Door[] {
  if (/\b(both|doors)\b/i.test(request)) return ['front', 'back'];
  return /\bback\b/i.test(request) ? ['back'] : ['front'];
}

function announced(action: Action, doors: readonly Door[]): string {
  const what = doors.length > 1 ? 'both doors' : `the ${doors.join()} door`;
  switch (action) {
    case 'read_lock':
      return `Let me look at ${what}.`;
    case 'unlock_door':
      return `I will unlock ${what}.`;
    case 'lock_door':
      return `I will lock ${what}.`;
    default:
      return action satisfies never;
  }
}

function reportOne({ name, input, ok, text }: Finished): string {
  const what = subject(input);
  if (!ok) return refused(what, name, text);
  if (name === 'show_on_display') return 'The display shows it now.';
  return name === 'read_lock' ? `${what} is ${text}.` : `${what} is now ${text}.`;
}

function refused(what: string, name: string, text: string): string {
  const [, reason] = /Reason: (.+)/s.exec(text) ?? [];
  const outcome = name === 'show_on_display' ? 'The display stays as it is' : `${what} stays as it is`;
  return reason === undefined ? `${outcome}.` : `${outcome}. You said: ${reason}.`;
}

function subject(input: unknown): string {
  const door = typeof input === 'object' && input !== null && 'door' in input ? input.door : undefined;
  return typeof door === 'string' ? `The ${door} door` : 'That';
}
