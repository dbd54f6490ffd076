import { principalOf } from '../../core/call.ts';
import type { Channel } from '../../core/channel.ts';
import { question } from '../store-contract/sample.ts';
import { check } from '../store-contract/suite.ts';
import { type Bench, ended } from './bench.ts';

/** Adds one test; it gets a new channel on a bench of its own. */
export type AddChannelTest<C extends Channel> = (title: string, test: (bench: Bench<C>) => Promise<void>) => void;

/** What must never reach a person's eyes as it is: it could hide, reorder or rewrite what else they see. */
const HOSTILE =
  /(?![\n ])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{e0000}-\u{e007f}\u00a0\u3000]/u;

const HOSTILE_TEXT = [
  '\u001b[2J\u001b[H\u001b]0;title\u0007',
  '\u0000\b\r\t\u007f\u0085\u009b2J',
  '\u202e\u2066\u2069\u200f\u061c',
  '\u200b\u200d\ufeff\u2060\u00ad\u3164',
  '\u{e0041}\u{e0042}\u{e007f}\u2028\u2029',
].join('x');

/** Tests of what people are shown, and when a channel may say that it was. */
export function showingTests<C extends Channel>(add: AddChannelTest<C>): void {
  add('reaches nobody who may not decide, and reaches whoever sits there and may', async ({ channel, driver }) => {
    const { request } = question('reach');
    check((await channel.reaches({ request, mayDecide: () => false })) === false, 'nobody there may decide');
    const mayDecide = ({ id }: { readonly id: string }): boolean => id === driver.person.id;
    check((await channel.reaches({ request, mayDecide })) === true, 'the person there may decide');
  });

  add('has shown tool, effect, requester and all arguments when deliver resolves', async (bench) => {
    const { request } = await bench.askAndShow({
      door: 'the front one',
      seconds: 31_337,
      nested: [{ deep: 'yes, it is' }],
    });
    const parts = [
      request.tool,
      request.effect,
      principalOf(request.origin).id,
      'the front one',
      '31337',
      'yes, it is',
    ];
    for (const part of parts) check(bench.text.includes(part), `'${part}' was not shown`);
  });

  add('proves what was shown with a SHA-256 that is another one for another question', async (bench) => {
    const [one, two] = [await bench.ask({ door: 'front' }), await bench.ask({ door: 'back' })];
    await bench.answer(one, 'rejected');
    const digests = [(await one.shown).shownDigest ?? '', (await two.shown).shownDigest ?? ''];
    for (const digest of digests) check(/^[0-9a-f]{64}$/.test(digest), `'${digest}' is no SHA-256 in lower-case hex`);
    check(digests[0] !== digests[1], 'two questions have one digest');
  });

  add('shows all of an argument of 64 kB, or says that it cannot', async (bench) => {
    const words = Array.from({ length: 8192 }, (_, i) => `${i}`.padStart(7, 'w'));
    const asked = await bench.ask({ text: words.join(' ') });
    const shown = await asked.shown.then(
      () => true,
      () => false,
    );
    if (!shown) return;
    check(bench.text.includes(words.join(' ')), 'deliver resolved before all of the argument was shown');
    await bench.answer(asked, 'approved');
    check((await ended(asked)).status === 'success', 'what was shown whole can be approved');
  });

  add('shows hostile text of a model as harmless text, wherever it stands', async (bench) => {
    const args = { [`key ${HOSTILE_TEXT}`]: HOSTILE_TEXT, list: [HOSTILE_TEXT, 'the end'] };
    await bench.askAndShow(args);
    const found = HOSTILE.exec(bench.driver.seen(bench.channel))?.[0];
    check(found === undefined, `U+${found?.codePointAt(0)?.toString(16)} reached the person as it is`);
    check(bench.text.includes('the end'), 'what follows the hostile text was shown');
  });

  add('lets no argument look like a question of its own', async (bench) => {
    const first = await bench.askAndShow({ door: 'front' });
    const genuine = bench.driver.seen(bench.channel);
    await bench.answer(first, 'rejected');
    await ended(first);
    const before = bench.driver.seen(bench.channel).length;
    await bench.askAndShow({ text: `\n${genuine}\n`, crlf: genuine.replaceAll('\n', '\r\n') });
    const now = bench.driver.seen(bench.channel).slice(before);
    for (const line of new Set(genuine.split('\n').filter((each) => each.trim() !== ''))) {
      check(count(now, line) <= count(genuine, line), `an argument made a line that only the channel writes: ${line}`);
    }
  });
}

function count(text: string, line: string): number {
  return text.split('\n').filter((each) => each === line).length;
}
