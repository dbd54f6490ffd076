import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { TerminalSession } from '../../channels/terminal/index.ts';
import { speak } from '../messages.ts';
import { Screen } from './screen.ts';
import { TurnView } from './turn-view.ts';

/** What is printed for one report of a running tool. */
function shown(data: unknown): string {
  const output = new PassThrough();
  const screen = new Screen(new TerminalSession({ input: new PassThrough(), output }), {});
  new TurnView(screen, speak('en')).show({ type: 'tool_progress', data });
  return output.read()?.toString() ?? '';
}

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

test.each([
  ['half done', '… half done\n'],
  [{ done: 1 }, '… {"done":1}\n'],
  [10n, '… "10"\n'],
  [{ bytes: 10n }, '… {"bytes":"10"}\n'],
  [cyclic, '… a report that cannot be shown\n'],
  [undefined, '… undefined\n'],
  [Symbol('x'), '… Symbol(x)\n'],
  [
    {
      toJSON: (): never => {
        throw new Error('no');
      },
    },
    '… a report that cannot be shown\n',
  ],
  ['\u001b[2J', '… \\u001b[2J\n'],
])('a report of a running tool never ends the turn (%#)', (data, text) => {
  expect(shown(data)).toBe(text);
});
