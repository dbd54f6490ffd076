import { describe, expect, it } from 'vitest';
import type { ApprovalRecord } from '../core/approval-record.ts';
import type { Delivery, Shown } from '../core/channel.ts';
import type { ChannelDriver } from './channel-contract/driver.ts';
import { channelContract } from './channel-contract.ts';
import { ScriptedChannel } from './scripted-channel.ts';

const ada = { id: 'ada', kind: 'person' } as const;

const driver: ChannelDriver<ScriptedChannel> = {
  person: ada,
  reasons: true,
  seen: (channel) => channel.lines.join('\n'),
  answer: (channel, { id }, answer) => channel.answer(id, answer).catch(() => undefined),
};

/** Runs the contract as a user's runner would; returns the titles of the tests that failed, of those that `only` fits. */
async function failures(makeChannel: () => ScriptedChannel, only: RegExp = /./): Promise<readonly string[]> {
  const tests: [string, () => Promise<void>][] = [];
  channelContract('broken', makeChannel, driver, {
    describe: (_title, body) => body(),
    it: (title, body) => tests.push([title, body]),
  });
  const failed: string[] = [];
  for (const [title, body] of tests.filter(([each]) => only.test(each))) await body().catch(() => failed.push(title));
  return failed;
}

describe('[P6, P7, P8, P9] the contract of channels', () => {
  channelContract('ScriptedChannel', () => new ScriptedChannel({ person: ada }), driver, { describe, it });

  it('fails a channel that reaches everybody', async () => {
    class Everybody extends ScriptedChannel {
      override reaches(): boolean {
        return true;
      }
    }
    expect(await failures(() => new Everybody({ person: ada }))).toEqual([
      'reaches nobody who may not decide, and reaches whoever sits there and may',
    ]);
  });

  it('fails a channel that says it has shown what it has not', async () => {
    class Hasty extends ScriptedChannel {
      override deliver(delivery: Delivery): Promise<Shown> {
        return super.deliver({ ...delivery, request: { ...delivery.request, arguments: {} } });
      }
    }
    expect(await failures(() => new Hasty({ person: ada }))).toEqual(
      expect.arrayContaining([
        'has shown tool, effect, requester and all arguments when deliver resolves',
        'shows all of an argument of 64 kB, or says that it cannot',
      ]),
    );
  });

  it('fails a channel that shows text of the model as it is', async () => {
    class Raw extends ScriptedChannel {
      readonly #raw: string[] = [];
      override get lines(): readonly string[] {
        return [...super.lines, ...this.#raw];
      }
      override deliver(delivery: Delivery): Promise<Shown> {
        for (const value of Object.values(delivery.request.arguments ?? {})) this.#raw.push(String(value));
        return super.deliver(delivery);
      }
    }
    expect(await failures(() => new Raw({ person: ada }))).toEqual(
      expect.arrayContaining([
        'shows hostile text of a model as harmless text, wherever it stands',
        'lets no argument look like a question of its own',
      ]),
    );
  });

  it('fails a channel that does not say who decided elsewhere', async () => {
    class Silent extends ScriptedChannel {
      override close({ decision: _, ...record }: ApprovalRecord): void {
        super.close(record);
      }
    }
    expect(await failures(() => new Silent({ person: ada }), /elsewhere/)).toEqual([
      'what was decided elsewhere is told with the name of who did, and cannot be answered any more',
    ]);
  });

  it('fails a channel that answers by itself, and one that names another question', async () => {
    const eager = (): ScriptedChannel => new ScriptedChannel({ person: ada, script: [{ decision: 'rejected' }] });
    expect(await failures(eager, /silence/)).toContain('silence is no answer');
    class Confused extends ScriptedChannel {
      override deliver(delivery: Delivery): Promise<Shown> {
        const answer: Delivery['answer'] = (given) => delivery.answer({ ...given, digest: 'x' });
        return super.deliver({ ...delivery, answer });
      }
    }
    const yes = 'a yes runs the call once, and says who gave it to what';
    expect(await failures(() => new Confused({ person: ada }), /^a yes/)).toEqual([yes]);
  });

  it('ends every channel, also of a test that failed', async () => {
    let [made, ended] = [0, 0];
    const tests: (() => Promise<void>)[] = [];
    const make = (): ScriptedChannel => {
      made++;
      return new ScriptedChannel({ person: ada, script: [new Error('down'), new Error('down')] });
    };
    const end = (): void => void ended++;
    channelContract(
      'broken',
      make,
      { ...driver, end },
      {
        describe: (_title, body) => body(),
        it: (_title, body) => tests.push(body),
      },
    );
    const results = await Promise.allSettled(tests.map((test) => test()));
    expect(results.some(({ status }) => status === 'rejected')).toBe(true);
    expect([made, ended]).toEqual([tests.length, tests.length]);
  });
});
