import { describe, expect, test, vi } from 'vitest';
import { checkOptions } from '../../core/check-options.ts';
import { ConfigError } from '../../core/errors.ts';
import { capabilitiesFor, DEFAULT_CAPABILITIES } from './capabilities.ts';
import { checkPath } from './options.ts';
import { identify, principalFrom } from './principal.ts';
import { refusalOf } from './refusal.ts';

const log = { debug: vi.fn(), warn: vi.fn(), error: vi.fn() };

describe('options', () => {
  test('[C12.1] an option that does not exist or has the wrong type is refused at set-up', () => {
    interface Options {
      readonly auth?: () => void;
      readonly limit?: number;
      readonly on?: boolean;
    }
    const check = (options: unknown) => () =>
      checkOptions<Options>('f', options as Options, { auth: 'function', limit: 'positive number', on: 'boolean' });
    expect(check({ auth: undefined, limit: 1, on: false })).not.toThrow();
    expect(check({ Auth: () => undefined })).toThrow(
      new ConfigError("f: unknown option 'Auth' (did you mean 'auth'?); known are auth, limit, on"),
    );
    expect(check({ auth: true })).toThrow(new ConfigError("f: option 'auth' must be a function, not boolean"));
    for (const options of [
      null,
      [],
      'x',
      { auth: null },
      { limit: 0 },
      { limit: Number.NaN },
      { limit: '1' },
      { on: 1 },
    ]) {
      expect(check(options)).toThrow(ConfigError);
    }
  });

  test('a path is a path', () => {
    expect(() => checkPath('f', 'path', '/agents/:id')).not.toThrow();
    for (const path of ['', 'agent', '/a b', '/a?b', '/a\r\nX: y']) {
      expect(() => checkPath('f', 'path', path)).toThrow(ConfigError);
    }
  });
});

describe('principals', () => {
  test('[B5] a principal is read strictly and can no longer be changed', () => {
    const given = { id: 'ada', kind: 'person', roles: ['admin'], extra: 1 };
    const principal = principalFrom(given);
    given.roles.push('root');
    expect(principal).toEqual({ id: 'ada', kind: 'person', roles: ['admin'] });
    expect([Object.isFrozen(principal), Object.isFrozen(principal.roles)]).toEqual([true, true]);
    for (const bad of [
      'ada',
      {},
      { id: 'ada' },
      { id: '', kind: 'person' },
      { id: 7, kind: 'person' },
      { id: 'ada', kind: 'god' },
      { id: 'ada', kind: 'person', roles: 'admin' },
      { id: 'ada', kind: 'person', roles: [7] },
    ]) {
      expect(() => principalFrom(bad)).toThrow(TypeError);
    }
  });

  test('[B5] whoever cannot be identified is refused', async () => {
    const status = async (ask: () => unknown) => {
      const who = await identify(ask, log);
      return 'refusal' in who ? [who.refusal.status, who.refusal.body.error] : who;
    };
    expect(await status(() => ({ id: 'ada', kind: 'person' }))).toEqual({ principal: { id: 'ada', kind: 'person' } });
    expect(await status(() => undefined)).toEqual([401, 'Unauthorized']);
    for (const answer of [null, false, 'ada', {}])
      expect(await status(() => answer)).toEqual([500, 'Internal Server Error']);
    expect(await status(() => Promise.reject({ status: 403, message: 'secret' }))).toEqual([403, 'Forbidden']);
  });

  test('[C12.6] the status of an error counts when it is an error status; its text never does', () => {
    const status = (error: unknown) => [refusalOf(error).status, refusalOf(error).body.error];
    expect(status({ statusCode: 429 })).toEqual([429, 'Too Many Requests']);
    expect(status({ status: 418 })).toEqual([418, 'Request Refused']);
    expect(status({ status: 599 })).toEqual([599, 'Server Error']);
    for (const error of [
      new Error('secret'),
      { status: 200 },
      { status: 399 },
      { status: 600 },
      { status: '401' },
      { status: 401.5 },
      401,
      null,
    ]) {
      expect(status(error)).toEqual([500, 'Internal Server Error']);
    }
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no');
        },
      },
    );
    expect(status(hostile)).toEqual([500, 'Internal Server Error']);
  });
});

describe('capabilities', () => {
  test('[C12.8] say what is true', () => {
    expect(capabilitiesFor()).toEqual(DEFAULT_CAPABILITIES);
    expect(DEFAULT_CAPABILITIES).toMatchObject({
      protocol: '1',
      transports: { sse: true, protobuf: true, websocket: false },
      events: { RAW: true, STATE_DELTA: false, TEXT_MESSAGE_CHUNK: false },
      features: {
        interrupts: true,
        toolCallInterruptEditedArgs: true,
        messagesSnapshot: true,
        protobuf: true,
        resumableStreams: false,
        stateDelta: false,
        multipleRunsPerStream: false,
        citations: false,
        media: false,
        orchestrators: false,
      },
    });
  });

  test('[C12.8] overrides set known flags only', () => {
    const overrides = JSON.parse(
      '{"features":{"citations":true,"interrupts":"yes","__proto__":{"x":true},"new":true},"events":null,"odd":1}',
    );
    expect(capabilitiesFor(undefined, overrides)).toEqual({
      ...DEFAULT_CAPABILITIES,
      features: { ...DEFAULT_CAPABILITIES.features, citations: true },
    });
  });

  test('[C12.8] the settings of the agent decide over chunks, after overrides', () => {
    const { events } = capabilitiesFor(
      { config: { emitChunkEvents: true } },
      { events: { TEXT_MESSAGE_CHUNK: false, RAW: false } },
    );
    const on = Object.keys(events).filter((name) => events[name] === true);
    expect(on).toEqual([
      'RUN_STARTED',
      'RUN_FINISHED',
      'RUN_ERROR',
      'STEP_STARTED',
      'STEP_FINISHED',
      'TEXT_MESSAGE_CHUNK',
      'TOOL_CALL_CHUNK',
      'TOOL_CALL_RESULT',
      'REASONING_START',
      'REASONING_MESSAGE_CHUNK',
      'REASONING_END',
      'REASONING_ENCRYPTED_VALUE',
      'STATE_SNAPSHOT',
      'MESSAGES_SNAPSHOT',
      'CUSTOM',
    ]);
    for (const config of [{ emitMessagesSnapshot: false }, { messagesSnapshot: 'off' as const }]) {
      const { events: sent, features } = capabilitiesFor({ config });
      expect([sent.MESSAGES_SNAPSHOT, features.messagesSnapshot]).toEqual([false, false]);
    }
  });
});
