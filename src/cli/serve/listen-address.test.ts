import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { DEFAULT_CONFIG } from '../config/config.ts';
import { speak } from '../messages.ts';
import type { Setting } from '../setting.ts';
import { isLoopback, warnIfOpen } from './listen-address.ts';

const setting: Setting = {
  config: DEFAULT_CONFIG,
  language: 'en',
  say: speak('en'),
  cwd: '/',
  dataDir: '/data',
  isDemoWorld: true,
  model: undefined,
};

function warning(host: string): string {
  const stderr = new PassThrough();
  warnIfOpen(host, stderr, setting);
  return stderr.read()?.toString() ?? '';
}

describe('[P18] where the hub listens', () => {
  test.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('%s is this machine only', (host) => {
    expect([isLoopback(host), warning(host)]).toEqual([true, '']);
  });

  test.each(['0.0.0.0', '::', '192.168.0.4', 'hub.local', '127.0.0.1.evil.example'])('%s is warned about', (host) => {
    expect(warning(host)).toContain(`WARNING: the hub listens on ${host}: everybody in the network can reach it`);
  });
});
