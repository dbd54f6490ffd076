import { describe, expect, test } from 'vitest';
import { createHandler, createStrandsApp } from '../../src/ag-ui/http/index.ts';
import { DONE, unlock } from '../support/strands.ts';
import { agentOf, answer, finished, log, minimal, post, SERVERS, started } from './http-fixture.ts';
import { ANN, served } from './support/served.ts';
import { interruptOf, yes } from './support/wire.ts';

describe.each(SERVERS)('mayDecide on %s', (_name, start) => {
  test('[B5] is asked with the principal and the request, and its answer goes along with the run', async () => {
    const agent = agentOf(started, finished);
    const asked: unknown[] = [];
    const server = await start(agent, {
      authenticate: () => ANN,
      mayDecide: async (principal, { method, headers }) => {
        asked.push([principal, method, headers.get('x-scope')]);
        return headers.get('x-scope') === 'decide';
      },
    });
    for (const scope of ['talk', 'decide']) await (await post(server, minimal, { 'x-scope': scope })).text();
    expect(asked).toEqual([
      [ANN, 'POST', 'talk'],
      [ANN, 'POST', 'decide'],
    ]);
    expect(agent.asked.map(([, { principal, mayDecide }]) => [principal, mayDecide])).toEqual([
      [ANN, false],
      [ANN, true],
    ]);
  });

  test('[B5] is asked without authentication too, about the one principal', async () => {
    const agent = agentOf(started, finished);
    const server = await start(agent, { mayDecide: ({ id }) => id !== 'anonymous' });
    await (await post(server)).text();
    expect(agent.asked.map(([, { mayDecide }]) => mayDecide)).toEqual([false]);
  });

  test('[B5] that throws, rejects or answers neither yes nor no refuses the request', async () => {
    const failures = [
      () => {
        throw new Error('secret detail');
      },
      () => Promise.reject(new Error('secret detail')),
      () => undefined,
      () => 'yes',
      () => 1,
    ];
    for (const mayDecide of failures as unknown as readonly (() => boolean)[]) {
      const agent = agentOf(started, finished);
      const server = await start(agent, { authenticate: () => ANN, mayDecide });
      expect(await answer(server)).toEqual({ status: 500, body: { error: 'Internal Server Error' } });
      expect(agent.asked).toEqual([]);
    }
    expect(log.error).toHaveBeenCalledTimes(failures.length);
  });

  test('[B3] lets a credential talk and not decide', async () => {
    const s = await served([[unlock('front')], DONE]);
    const server = await start(s.bridge, {
      authenticate: () => ANN,
      mayDecide: (_principal, { headers }) => headers.has('x-decide'),
    });
    const stopped = await s.run({}, { principal: ANN });
    const said = async (headers: Record<string, string>): Promise<string> =>
      (await post(server, s.input({ resume: yes(stopped) }), headers)).text();
    expect(await said({})).toContain('FORBIDDEN_ANSWER');
    expect([s.started(), (await s.store.get(interruptOf(stopped).id))?.status]).toEqual([[], 'pending']);
    expect(await said({ 'x-decide': '1' })).not.toContain('RUN_ERROR');
    expect(s.started()).toHaveLength(1);
  });
});

test('[C12.1] mayDecide is a function', async () => {
  const wrong = { mayDecide: true } as unknown as object;
  const text = "option 'mayDecide' must be a function, not boolean";
  expect(() => createHandler(agentOf(), wrong)).toThrow(text);
  await expect(createStrandsApp(agentOf(), wrong)).rejects.toThrow(text);
});
