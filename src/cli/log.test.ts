import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureLogging } from '@strands-agents/sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Logger } from '../core/platform.ts';
import { DEFAULT_CONFIG } from './config/config.ts';
import { openLog } from './log.ts';
import { speak } from './messages.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tau-log-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  const quiet = (): void => undefined;
  configureLogging({ debug: quiet, info: quiet, warn: quiet, error: quiet });
});

function open(file: string): Logger {
  const config = { ...DEFAULT_CONFIG, log: { ...DEFAULT_CONFIG.log, file } };
  const place = { cwd: folder, dataDir: folder, isDemoWorld: false, model: undefined };
  return openLog({ ...place, config, language: 'en', say: speak('en') });
}

describe('[P18] the log', () => {
  test.skipIf(!existsSync('/dev/full'))('loses lines that have no room (/dev/full), says so once, never throws', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const log = open('/dev/full');
    log.error('The store is full');
    log.warn('and so is the disk');
    expect(told.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/^tau: the log \/dev\/full cannot be written, lines are lost: ENOSPC/),
    ]);
  });

  test('holds nothing that acts on a terminal or hides there, and still says the same', () => {
    const log = open(join(folder, 'tau.log'));
    const evil = '\u001b[2J\u009b31m\u202eevil\u2066\u200b\u2028\u007f';
    log.info(evil, { field: evil });
    const text = readFileSync(join(folder, 'tau.log'), 'utf8');
    expect(text.slice(0, -1)).toMatch(/^[ -~]*$/);
    expect(JSON.parse(text)).toMatchObject({ msg: evil, field: evil });
  });

  test('does not throw at what cannot become a text', () => {
    const log = open(join(folder, 'tau.log'));
    const broken = {
      get field(): never {
        throw new Error('no such field');
      },
    };
    expect(() => log.info('first', broken)).not.toThrow();
    log.info('second');
    expect(readFileSync(join(folder, 'tau.log'), 'utf8')).toContain('"msg":"second"');
  });
});
