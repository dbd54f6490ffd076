import { escapeText } from '../../core/escape.ts';
import type { TurnEvent } from '../../strands/index.ts';
import type { Say } from '../messages.ts';
import { callLine } from './call-line.ts';
import { SafeText, safeLines } from './safe-text.ts';
import type { Screen } from './screen.ts';

const MAX_PROGRESS = 200;

/** Shows one turn as it happens. */
export class TurnView {
  readonly #screen: Screen;
  readonly #say: Say;
  readonly #text = new SafeText();

  constructor(screen: Screen, say: Say) {
    this.#screen = screen;
    this.#say = say;
    screen.spin(say('chat.thinking'));
  }

  /** Shows one event. */
  show(event: TurnEvent): void {
    if (event.type === 'text') return this.#screen.write(this.#text.push(event.text));
    if (event.type === 'reasoning') return;
    this.#finishText();
    switch (event.type) {
      case 'tool_start':
        return this.#screen.spin(this.#say('chat.running', { tool: escapeText(event.tool) }));
      case 'tool_progress':
        return this.#line('dim', `… ${progressText(event.data, this.#say)}`);
      case 'tool_call': {
        const { text, ran } = callLine(event.call, this.#say);
        return this.#line(ran ? 'green' : 'yellow', text);
      }
      case 'notice':
        return this.#line('yellow', safeLines(event.text));
      case 'end':
        if (event.reason === 'stopped')
          this.#screen.line(this.#say('chat.stopped', { reason: escapeText(event.detail ?? '') }));
        return this.#screen.endLine();
      default:
        return event satisfies never;
    }
  }

  /** Leaves the screen tidy, however the turn ended. */
  close(): void {
    this.#finishText();
    this.#screen.endLine();
  }

  #line(format: 'dim' | 'green' | 'yellow', text: string): void {
    this.#screen.line(this.#screen.style(format, text));
    this.#screen.spin(this.#say('chat.thinking'));
  }

  #finishText(): void {
    this.#screen.write(this.#text.flush());
    this.#screen.endLine();
  }
}

function progressText(data: unknown, say: Say): string {
  const text = writtenOut(data) ?? say('chat.progress_unreadable');
  return escapeText(text.length <= MAX_PROGRESS ? text : `${text.slice(0, MAX_PROGRESS - 1).toWellFormed()}…`);
}

/** What a tool reports may be anything; `undefined` for what cannot be written, such as a cycle. */
function writtenOut(data: unknown): string | undefined {
  if (typeof data === 'string') return data;
  try {
    return (
      JSON.stringify(data, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)) ?? String(data)
    );
  } catch {
    return undefined;
  }
}
